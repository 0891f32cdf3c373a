import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'jsonc-parser';
import { vendorClock } from '../connectors/vendor-clock.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { aHome, type EmulatedHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startIcalendar } from '../emulators/icalendar.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { startQloapps } from '../emulators/qloapps.ts';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';
import { rateCardOf } from '../support/emulated-rate-card.ts';
import { GIVE_UP } from '../support/scripted-terminal.ts';

const QUICK = 'rate_limits=[{"requests":1000,"seconds":1}]';
const pageOf = (host: string) =>
  `http://${host}/homes/{reference}?from={check_in}&to={check_out}&people={guests}`;

async function setUp(
  t: TestContext,
  start: typeof startHostaway | typeof startLodgify | typeof startQloapps = startHostaway,
  homes: readonly EmulatedHome[] = [aHome({ id: 1 }), aHome({ id: 2, city: 'Porto' })],
) {
  const emulator = await start({ homes, now: vendorClock.now, limits: 'off' });
  t.after(() => emulator.close());
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  addPlaces(stage.directory);
  const words = (brand: string, ...more: readonly string[]) => [
    ...['connect', brand, '--set', `url=${emulator.url}`, QUICK],
    // Lodgify does not say where pages are, and the address of one names the host.
    ...(start === startHostaway ? ['--host', emulator.websiteHost] : []),
    ...more,
  ];
  /** With the secrets on the input. */
  const connectHills = (...more: readonly string[]) =>
    stage.run(words('hills', '--system', 'hostaway', '--secrets-from-stdin', ...more), secretsOf(emulator));
  return { emulator, stage, words, connectHills };
}

const secretsOf = ({ credentials }: Emulator) => ({ input: JSON.stringify(credentials) });

describe('connect', () => {
  it('asks a person for the system and the secrets, and writes nothing when they give up', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify);
    const before = { file: stage.file(), files: stage.files() };
    const page = pageOf(emulator.websiteHost);
    const [system, key] = [
      ['Booking system', 'lodgify'],
      ['API key', emulator.credentials.api_key ?? ''],
    ] as const;
    for (const answers of [[[system[0], GIVE_UP]], [system, [key[0], GIVE_UP]]] as const) {
      const { code, output, notes } = await stage.run(words('harbor', '--stay-url', page), { answers });
      assert.deepEqual([code, output], [130, '']);
      assert.match(notes, /Interrupted; nothing is left half done\.$/);
      assert.deepEqual({ file: stage.file(), files: stage.files() }, before);
    }
    const { code, notes, terminal } = await stage.run(words('harbor', '--stay-url', page), {
      answers: [system, key],
    });
    assert.equal(code, 0, notes);
    assert.deepEqual(
      terminal.questions.map(({ isSecret = false }) => isSecret),
      [false, true],
    );
    const [brand] = parse(stage.file()).brands;
    assert.deepEqual(brand.website, { hosts: [emulator.websiteHost], stay_url: page });
    assert.deepEqual(brand.places, { Lisbon: 'lisbon', Porto: 'porto' });
    assert.equal(brand.all_in_totals, false);
  });

  it('names the option for each thing that it would ask for, and repeats no secret', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify, [aHome({ id: 1 })]);
    const [url = ''] = words('harbor').slice(3, 4);
    const piped = ['--system', 'lodgify', '--secrets-from-stdin'];
    for (const [more, how, next] of [
      [[], {}, /^→ give it with --system: one of open, /m],
      [
        ['--system', 'lodgify'],
        {},
        /STAYWIRE_SECRET_HARBOR_API_KEY in the environment, or\n {2}--secrets-from-stdin/,
      ],
      [piped, { input: 'emulated' }, /pipe one JSON object with api_key/],
      [piped, { input: '{"key":"emulated"}' }, /pipe one JSON object with api_key/],
      [
        piped,
        secretsOf(emulator),
        /such as\n {2}https:\/\/www\.example\.com\/homes\/\{reference\}[\s\S]*--stay-url ADDRESS/,
      ],
      [['--system', 'open'], {}, /give it with --set url=…/],
      [['--system', 'rate-card'], {}, /rate-card has file, url/],
      [['--system', 'lodgify', '--set', 'key=1'], {}, /one of account, /],
    ] as const) {
      const set = /open|rate-card/.test(more.join(' ')) ? [] : ['--set', url, QUICK];
      const { code, output, notes } = await stage.run(['connect', 'harbor', ...set, ...more], how);
      assert.deepEqual([code, output], [2, ''], notes);
      assert.match(notes, next);
      assert.ok(!notes.includes('emulated'), 'something that was piped is repeated');
    }
  });

  it('suggests the page of a home where the entry of the system says where its website is', async (t) => {
    const { emulator, stage, words } = await setUp(t, startQloapps, [aHome({ id: 1 })]);
    const page = `${emulator.url}/index.php?id_product={reference}&controller=product&date_from={check_in}&date_to={check_out}`;
    const { code, notes } = await stage.run(
      words('other', '--system', 'qloapps', '--secrets-from-stdin'),
      secretsOf(emulator),
    );
    assert.equal(code, 2);
    assert.ok(notes.includes(`--stay-url '${page}'`), notes);
  });

  it('says that credentials are wrong, also where a vendor answers with a server error, and keeps none', async (t) => {
    for (const [start, system, input, next] of [
      [startHostaway, 'hostaway', '{"account_id":"61148","api_key":"mistyped"}', 'account_id and api_key'],
      [startLodgify, 'lodgify', '{"api_key":"mistyped"}', 'api_key'],
    ] as const) {
      const { stage, words } = await setUp(t, start);
      const files = stage.files();
      const run = await stage.run(words('hills', '--system', system, '--secrets-from-stdin'), { input });
      assert.equal(run.code, 1);
      assert.match(run.notes, new RegExp(`→ look up ${next} of the account hills again`));
      assert.ok(!run.notes.includes('mistyped'));
      assert.deepEqual(stage.files(), files);
    }
  });

  it('lists cities that are not on the network as places to paste, and leaves them out', async (t) => {
    const city = 'Vila Nova de Gaia e Arredores do Douro Litoral Norte';
    const homes = [
      aHome({ id: 1 }),
      aHome({ id: 2, city }),
      aHome({ id: 3, city: 'Lisboa', currency: 'USD' }),
    ];
    const { stage, connectHills } = await setUp(t, startHostaway, homes);
    const { code, output } = await connectHills('--json');
    assert.deepEqual([code, JSON.parse(output).left_out], [0, [city, 'Lisboa']]);
    const shown = (await connectHills()).output;
    const [, pasted = ''] = /^\s+(\{"id":"vila-nova.*\}),$/m.exec(shown) ?? [];
    assert.deepEqual(JSON.parse(pasted), {
      id: 'vila-nova-de-gaia-e-arredores-do-douro-litoral-norte',
      name: city,
      kind: 'city',
      time_zone: 'ZONE',
      currency: 'EUR',
    });
    assert.match(shown, /unknown_place \(2\): /);
    const named = await connectHills('--place', 'Lisboa=lisbon', '--json');
    assert.deepEqual(JSON.parse(named.output).left_out, [city]);
    assert.equal(parse(stage.file()).brands[0].places.Lisboa, 'lisbon');
  });

  it('writes nothing when a check fails, unless it is forced', async (t) => {
    const { stage, connectHills } = await setUp(t, startHostaway, [aHome({ id: 1, city: 'Faro' })]);
    const before = stage.file();
    const { code, output } = await connectHills();
    assert.equal(code, 1);
    assert.match(output, /✖ {2}listings .*0 on offer/);
    assert.match(output, /Nothing was written: a check has failed/);
    assert.equal(stage.file(), before);
    assert.ok(!stage.files().includes('credentials.sealed'));
    assert.equal((await connectHills('--force')).code, 0);
    assert.equal(parse(stage.file()).brands[0].source, 'hills');
  });

  it('looks at all options together before the vendor is asked', async (t) => {
    const { emulator, stage, words, connectHills } = await setUp(t);
    emulator.setFault('error_500', 'catalogue');
    const wrong = ['--place', 'Lisbon', '--stay-url', 'nowhere', '--host', 'https://x.example/y'];
    const { code, notes } = await connectHills(...wrong);
    assert.equal(code, 2);
    for (const said of [
      /write --place "City=place-id"/,
      /--stay-url nowhere is not/,
      /--host https:\/\/x\.example\/y is not/,
    ])
      assert.match(notes, said);
    assert.match((await connectHills('--place', 'Lisbon=faro')).notes, /faro is not a place of the network/);
    const named = await stage.run(words('Harbor Homes', '--system', 'lodgify'));
    assert.match(named.notes, /Harbor Homes cannot be the name of a brand/);
    const nowhere = await stage.run([...words('harbor'), '--network', 'nowhere.jsonc']);
    assert.match(nowhere.notes, /nowhere\.jsonc cannot be read/);
    assert.deepEqual([named.code, nowhere.code], [2, 2]);
    assert.equal(emulator.requests.length, 0);
  });

  it('keeps the secrets only in the encrypted file, which a second brand may use', async (t) => {
    const { emulator, stage, words, connectHills } = await setUp(t);
    const { code, output, notes } = await connectHills('--json');
    assert.equal(code, 0);
    const { api_key: key = '' } = emulator.credentials;
    const files = stage.files().map((path) => readFileSync(join(stage.directory, path), 'utf8'));
    assert.deepEqual(stage.files(), ['.env', 'credentials.sealed', 'network.jsonc']);
    for (const text of [output, notes, ...files]) assert.ok(!text.includes(key));
    const { written, checks, held_back, cities } = JSON.parse(output);
    assert.ok(written.endsWith('network.jsonc'));
    assert.deepEqual(
      checks.map(({ check, verdict }: { check: string; verdict: string }) => [check, verdict]),
      ['credentials', 'listings', 'calendar', 'price', 'link'].map((check) => [check, 'passed']),
    );
    assert.deepEqual([held_back, Object.keys(cities)], [[], ['Lisbon', 'Porto']]);
    const second = await stage.run(words('dunes', '--system', 'hostaway', '--account', 'hills'));
    assert.equal(second.code, 0, second.notes);
    assert.equal(parse(stage.file()).brands[1].booking_system.account, 'hills');
  });

  it('changes only what differs in an entry that is there, and keeps all comments', async (t) => {
    const { stage, connectHills } = await setUp(t);
    assert.equal((await connectHills()).code, 0);
    const commented = stage
      .file()
      .replace('"name": "Hills",', '"name": "Hills", // what guests say\n      "quote_hold_minutes": 30,')
      .replace('"kind": "hostaway",', '/* since May */ "kind": "hostaway",')
      .replace('"Lisbon": "lisbon",', '"Lisbon": "lisbon", // the capital');
    writeFileSync(join(stage.directory, 'network.jsonc'), commented);
    const { code, notes } = await connectHills('--set', 'timeout_ms=4000');
    assert.equal(code, 0, notes);
    for (const comment of [
      '// what guests say',
      '/* since May */',
      '// the capital',
      '// Cities, and the regions',
    ])
      assert.ok(stage.file().includes(comment), comment);
    const [brand] = parse(stage.file()).brands;
    assert.equal(brand.quote_hold_minutes, 30);
    const { booking_system } = parse(commented).brands[0];
    assert.deepEqual(brand.booking_system, { ...booking_system, timeout_ms: 4000 });
  });

  it('keeps what was written into the files while the booking system was asked', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify);
    const options = [
      '--system',
      'lodgify',
      '--stay-url',
      pageOf(emulator.websiteHost),
      '--secrets-from-stdin',
    ];
    const runs = await Promise.all(
      ['harbor', 'hills'].map((brand) => stage.run(words(brand, ...options), secretsOf(emulator))),
    );
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0],
      runs.map(({ notes }) => notes).join(),
    );
    const sources = parse(stage.file()).brands.map(({ source }: { source: string }) => source);
    assert.deepEqual(sources.sort(), ['harbor', 'hills']);
    // Both accounts have their secret: a check needs no other.
    assert.equal((await stage.run(['check', '--json'])).code, 0);
  });

  it('shows nothing that a terminal obeys, whatever an operator calls its cities', async (t) => {
    const city = 'Lis\u001b[31mbon\u0007\u202e';
    const { connectHills } = await setUp(t, startHostaway, [aHome({ id: 1, city })]);
    const { output, notes } = await connectHills();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    assert.doesNotMatch(output + notes, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('the hosts of a brand', () => {
  const [PICTURES, STRANGER] = ['pictures.example', 'not-theirs.example'];

  /** A brand with pages on its website, and with one picture of each home elsewhere. */
  async function setCard(t: TestContext) {
    const homes = [1, 2, 3].map((id) => aHome({ id, cleaningFee: 0 }));
    const feeds = await startIcalendar({ homes, now: vendorClock.now, limits: 'off' });
    t.after(() => feeds.close());
    const stage = createCommandStage(t);
    assert.equal((await stage.run(['init'])).code, 0);
    const properties = rateCardOf(homes, feeds).properties.map(
      ({ listing, availability_feed: _, ...entry }, index) => {
        const host = [PICTURES, PICTURES, STRANGER][index];
        const picture = { url: `https://${host}/${index}.jpg`, alt: 'The garden', type: 'other' as const };
        return { listing: { ...listing, images: [...listing.images, picture] }, ...entry };
      },
    );
    writeFileSync(join(stage.directory, 'card.json'), JSON.stringify({ properties }));
    const words = (...more: readonly string[]) => [
      ...['connect', 'mill', '--system', 'rate-card', '--set', 'file=card.json', ...more],
    ];
    const hosts = () => parse(stage.file()).brands[0]?.website.hosts;
    return { stage, words, hosts, website: feeds.websiteHost };
  }

  it('are none that the owner has not named; the fault says what else is missing, and the command that names them', async (t) => {
    const { stage, words, hosts, website } = await setCard(t);
    const before = stage.file();
    const { code, output, notes } = await stage.run(words());
    assert.deepEqual([code, output], [2, '']);
    for (const line of [
      `${website} (pages of 3 homes, pictures of 3 homes)`,
      'pictures.example (pictures of 2 homes)',
      'not-theirs.example (pictures of 1 home)',
      '{"id":"lisbon","name":"Lisbon","kind":"city","time_zone":"ZONE","currency":"EUR"},',
    ])
      assert.ok(notes.includes(`\n  ${line}\n`), notes);
    assert.equal(stage.file(), before);
    addPlaces(stage.directory);

    const refused = JSON.parse((await stage.run(words('--json'))).output);
    assert.match(refused.error.command, /^staywire connect mill .*--host not-theirs\.example$/s);
    const command = notes.slice(notes.indexOf('staywire connect')).replaceAll(/\s*\\\n\s*/g, ' ');
    const expected = words('--host', website, '--host', PICTURES, '--host', STRANGER);
    assert.equal(command, `staywire ${expected.join(' ')}`);
    assert.equal((await stage.run(command.split(' ').slice(1))).code, 0);
    assert.deepEqual(hosts(), [website, PICTURES, STRANGER]);
  });

  it('are those of the options, and stay once they were decided', async (t) => {
    const { stage, words, hosts, website } = await setCard(t);
    addPlaces(stage.directory);
    const given = await stage.run(words('--host', website, '--json'));
    assert.deepEqual(JSON.parse(given.output).hosts, {
      found: [
        { host: website, pages: 3, pictures: 3 },
        { host: PICTURES, pages: 0, pictures: 2 },
        { host: STRANGER, pages: 0, pictures: 1 },
      ],
      registered: [website],
    });
    const again = await stage.run(words());
    assert.equal(again.code, 0);
    assert.match(
      again.output.replaceAll(/\s+/g, ' '),
      /! not-theirs\.example \(pictures of 1 home\) is not registered, .* --host not-theirs\.example ✔/,
    );
    assert.deepEqual(hosts(), [website]);
  });
});
