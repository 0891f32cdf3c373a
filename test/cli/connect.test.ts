import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'jsonc-parser';
import { vendorClock } from '../connectors/vendor-clock.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { aHome, type EmulatedHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { startQloapps } from '../emulators/qloapps.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { GIVE_UP } from '../support/scripted-terminal.ts';

const QUICK = 'rate_limits=[{"requests":1000,"seconds":1}]';
const PAGE = '/homes/{reference}?from={check_in}&to={check_out}&people={guests}';

async function setUp(
  t: TestContext,
  start: typeof startHostaway | typeof startLodgify | typeof startQloapps = startHostaway,
  homes: readonly EmulatedHome[] = [aHome({ id: 1 }), aHome({ id: 2, city: 'Porto' })],
) {
  const emulator = await start({ homes, now: vendorClock.now, limits: 'off' });
  t.after(() => emulator.close());
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  const words = (brand: string, ...more: readonly string[]) => [
    'connect',
    brand,
    '--set',
    `url=${emulator.url}`,
    QUICK,
    // Lodgify does not say where pages are, and the address of one names the host.
    ...(start === startHostaway ? ['--host', emulator.websiteHost] : []),
    ...more,
  ];
  return { emulator, stage, words };
}

const secretsOf = ({ credentials }: Emulator) => ({ input: JSON.stringify(credentials) });

describe('connect, with a person at the terminal', () => {
  it('asks for the system, the secrets, the page, what the cities are and their time zone', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify);
    const page = `http://${emulator.websiteHost}${PAGE}`;
    const { code, notes, terminal } = await stage.run(words('harbor'), {
      answers: [
        ['Booking system', 'lodgify'],
        ['API key', emulator.credentials.api_key ?? ''],
        ['Lisbon (1 listing) is', '(add it)'],
        ['Time zone of Lisbon', 'Europe/Lisbon'],
        ['Porto (1 listing) is', '(leave out)'],
        ['Address of a home’s page', page],
      ],
    });
    assert.equal(code, 0, notes);
    assert.deepEqual(
      terminal.questions.filter(({ isSecret }) => isSecret).map(({ message }) => message.slice(0, 7)),
      ['API key'],
    );
    const { places, brands } = parse(stage.file());
    const inLisbon = { time_zone: 'Europe/Lisbon', currency: 'EUR' };
    assert.deepEqual(places, [
      { id: 'portugal', name: 'Portugal', aliases: ['PT'], kind: 'country', ...inLisbon },
      { id: 'lisbon', name: 'Lisbon', kind: 'city', parent: 'portugal', ...inLisbon },
    ]);
    assert.equal(brands.length, 1);
    assert.deepEqual(brands[0].website, { hosts: [emulator.websiteHost], stay_url: page });
    assert.deepEqual(brands[0].places, { Lisbon: 'lisbon' });
    assert.equal(brands[0].all_in_totals, false);
  });

  it('suggests the page of a home where the entry of the system says where its website is', async (t) => {
    const { emulator, stage, words } = await setUp(t, startQloapps, [aHome({ id: 1 })]);
    const page = `${emulator.url}/index.php?id_product={reference}&controller=product&date_from={check_in}&date_to={check_out}`;
    const { code, notes, terminal } = await stage.run(words('harbor', '--system', 'qloapps'), {
      answers: [
        ['Web service key that may view (GET) hotels', emulator.credentials.api_key ?? ''],
        ['Lisbon (1 listing) is', '(add it)'],
        ['Time zone of Lisbon', 'Europe/Lisbon'],
        ['Address of a home’s page', page],
      ],
    });
    assert.equal(code, 0, notes);
    assert.equal(terminal.questions.find(({ option }) => option === '--stay-url')?.initial, page);
    const unasked = await stage.run(
      words('other', '--system', 'qloapps', '--time-zone', 'Europe/Lisbon', '--secrets-from-stdin'),
      secretsOf(emulator),
    );
    assert.equal(unasked.code, 2);
    assert.ok(unasked.notes.includes(`--stay-url '${page}'`), unasked.notes);
  });

  it('offers the cities of the network, and suggests the last time zone for the next city', async (t) => {
    const { emulator, stage, words } = await setUp(t, startHostaway, [
      aHome({ id: 1, city: 'Lisboa' }),
      aHome({ id: 2, city: 'Faro' }),
      aHome({ id: 3, city: 'Olhão' }),
    ]);
    const file = join(stage.directory, 'network.jsonc');
    const lisbon =
      '"places": [{ "id": "lisbon-pt", "name": "Lisbon", "kind": "city", "time_zone": "Europe/Lisbon", "currency": "EUR" }]';
    writeFileSync(file, stage.file().replace('"places": []', lisbon));
    const { code, notes, terminal } = await stage.run(
      words('hills', '--system', 'hostaway', '--secrets-from-stdin'),
      {
        ...secretsOf(emulator),
        answers: [
          ['Lisboa', 'lisbon-pt'],
          ['Faro (1 listing)', '(add it)'],
          ['Time zone of Faro', 'Europe/Lisbon'],
          ['Olhão (1 listing)', '(add it)'],
          ['Time zone of Olhão', 'Europe/Madrid'],
        ],
      },
    );
    assert.equal(code, 0, notes);
    const zones = terminal.questions.filter(({ message }) => message.startsWith('Time zone'));
    assert.deepEqual(
      zones.map(({ initial }) => initial),
      [undefined, 'Europe/Lisbon'],
    );
    assert.equal(zones[0]?.faultOf?.('Europe/Lissabon') === undefined, false);
    const { places, brands } = parse(stage.file());
    assert.deepEqual(
      places.map(({ id, parent }: { id: string; parent?: string }) => [id, parent]),
      // What the file has already stays as it is.
      [
        ['lisbon-pt', undefined],
        ['portugal', undefined],
        ['faro', 'portugal'],
        ['olhao', 'portugal'],
      ],
    );
    assert.deepEqual(brands[0].places, { Lisboa: 'lisbon-pt', Faro: 'faro', Olhão: 'olhao' });
  });

  it('writes nothing when they give up at any question', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify, [aHome({ id: 1 })]);
    const before = { file: stage.file(), files: stage.files() };
    const answers: readonly (readonly [string, string])[] = [
      ['Booking system', 'lodgify'],
      ['API key', emulator.credentials.api_key ?? ''],
      ['Lisbon (1 listing) is', '(add it)'],
      ['Time zone of Lisbon', 'Europe/Lisbon'],
      ['Address of a home’s page', `http://${emulator.websiteHost}${PAGE}`],
    ];
    for (const at of answers.keys()) {
      const until = answers.map(
        ([about, answer], index) => [about, index === at ? GIVE_UP : answer] as const,
      );
      const { code, output, notes } = await stage.run(words('harbor'), { answers: until });
      assert.deepEqual([code, output], [130, ''], answers[at]?.[0]);
      assert.match(notes, /Interrupted; nothing is left half done\.$/);
      assert.deepEqual({ file: stage.file(), files: stage.files() }, before, answers[at]?.[0]);
    }
  });
});

describe('connect, without a person', () => {
  it('names the option for each thing that it would ask for', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify, [aHome({ id: 1 })]);
    const [url = ''] = words('harbor').slice(3, 4);
    const secrets = secretsOf(emulator);
    for (const [more, how, next] of [
      [[], {}, /^→ give it with --system: one of open, /m],
      [
        ['--system', 'lodgify'],
        {},
        /STAYWIRE_SECRET_HARBOR_API_KEY in the environment, or\n {2}--secrets-from-stdin/,
      ],
      [
        ['--system', 'lodgify', '--secrets-from-stdin'],
        { input: 'emulated' },
        /pipe one JSON object with api_key/,
      ],
      [
        ['--system', 'lodgify', '--secrets-from-stdin'],
        { input: '{"key":"x"}' },
        /pipe one JSON object with api_key/,
      ],
      [
        ['--system', 'lodgify', '--secrets-from-stdin', '--time-zone', 'Europe/Lisbon'],
        secrets,
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

  it('says in so many words that the credentials are wrong, and keeps none of them', async (t) => {
    const { stage, words } = await setUp(t);
    const files = stage.files();
    const { code, notes } = await stage.run(words('hills', '--system', 'hostaway', '--secrets-from-stdin'), {
      input: '{"account_id":"61148","api_key":"mistyped-key"}',
    });
    assert.equal(code, 1);
    assert.match(notes, /Hostaway could not be read \(rejected\)/);
    assert.match(notes, /→ look up account_id and api_key of the account hills again/);
    assert.ok(!notes.includes('mistyped-key'));
    assert.deepEqual(stage.files(), files);
  });

  it('points at the credentials too when a vendor answers a wrong key with a server error', async (t) => {
    const { stage, words } = await setUp(t, startLodgify);
    const { code, notes } = await stage.run(words('harbor', '--system', 'lodgify', '--secrets-from-stdin'), {
      input: '{"api_key":"mistyped-key"}',
    });
    assert.equal(code, 1);
    assert.match(notes, /look up api_key of the account harbor again/);
  });

  it('leaves out cities that are not on the network, says why homes are held back, and writes nothing', async (t) => {
    const { emulator, stage, words } = await setUp(t);
    const before = stage.file();
    const run = (...more: readonly string[]) =>
      stage.run(words('hills', '--system', 'hostaway', '--secrets-from-stdin', ...more), secretsOf(emulator));
    const { code, output } = await run();
    assert.equal(code, 1);
    assert.match(output, /! Lisbon is not on the network, and left out\. Add it with --time-zone ZONE/);
    assert.match(output, /unknown_place \(2\): /);
    assert.match(output, /Nothing was written: a check has failed/);
    assert.equal(stage.file(), before);
    assert.ok(!stage.files().includes('credentials.sealed'));
    const forced = await run('--force');
    assert.equal(forced.code, 0);
    assert.equal(parse(stage.file()).brands[0].source, 'hills');
  });

  it('looks at all options together before the vendor is asked', async (t) => {
    const { emulator, stage, words } = await setUp(t);
    emulator.setFault('error_500', 'catalogue');
    const wrong = ['--time-zone', 'Lisbon', '--stay-url', 'nowhere', '--host', 'https://x.example/y'];
    const { code, notes } = await stage.run(
      words('hills', '--system', 'hostaway', '--secrets-from-stdin', ...wrong),
      secretsOf(emulator),
    );
    assert.equal(code, 2);
    for (const said of [
      /Lisbon is not a time zone/,
      /--stay-url nowhere is not/,
      /--host https:\/\/x\.example\/y is not/,
    ])
      assert.match(notes, said);
    assert.doesNotMatch(notes, /could not be read|Reading the listings/);
  });

  it('takes --place for what the operator calls a city', async (t) => {
    const { emulator, stage, words } = await setUp(t);
    const run = (...more: readonly string[]) =>
      stage.run(words('hills', '--system', 'hostaway', '--secrets-from-stdin', ...more), secretsOf(emulator));
    const unknown = await run('--place', 'Lisbon=lisbon-pt');
    assert.equal(unknown.code, 2);
    assert.match(unknown.notes, /lisbon-pt is not a place of the network file/);
    const garbled = await run('--place', 'Lisbon');
    assert.match(garbled.notes, /write --place "City=place-id"/);
    const zone = await run('--time-zone', 'Lisbon');
    assert.match(zone.notes, /use an IANA name such as Europe\/Lisbon/);
    const { code } = await run('--place', 'Lisbon=lisbon-pt', '--time-zone', 'Europe/Lisbon');
    assert.equal(code, 0);
    assert.deepEqual(parse(stage.file()).brands[0].places, { Lisbon: 'lisbon-pt', Porto: 'porto' });
  });

  it('adds countries as the operator names them, uses those of the file, and says what is added', async (t) => {
    const { emulator, stage, words } = await setUp(t, startHostaway, [
      aHome({ id: 1 }),
      aHome({ id: 2, city: 'Porto', currency: 'USD' }),
      aHome({ id: 3, city: 'Seville', countryCode: 'ES' }),
    ]);
    const spain =
      '"places": [ // ours\n    { "id": "es", "name": "España", "kind": "country", "time_zone": "Europe/Madrid", "currency": "EUR" } ]';
    writeFileSync(join(stage.directory, 'network.jsonc'), stage.file().replace('"places": []', spain));
    const connectHills = (...more: readonly string[]) =>
      stage.run(
        words(
          'hills',
          '--system',
          'hostaway',
          '--secrets-from-stdin',
          '--time-zone',
          'Europe/Lisbon',
          ...more,
        ),
        secretsOf(emulator),
      );
    const { code, output, notes } = await connectHills();
    assert.equal(code, 0, notes);
    const said = output.replaceAll(/\s+/g, ' ');
    assert.match(
      said,
      /New places: Portugal \(portugal\), Lisbon \(lisbon, in portugal\), Porto \(porto\), Seville \(seville, in es\)/,
    );
    assert.match(said, /! Porto is not put into Portugal: .* in USD, and Portugal is compared in EUR\./);
    assert.match(stage.file(), /"places": \[ \/\/ ours/);
    // Again: there is nothing left to add.
    const again = JSON.parse((await connectHills('--json')).output);
    assert.deepEqual(again.added_places, []);
    assert.deepEqual(again.cities.Seville, { listings: 1, currency: 'EUR', country: 'ES' });
    assert.doesNotMatch((await connectHills()).output, /New places/);
  });

  it('keeps the secrets only in the encrypted file, which only its owner can read', async (t) => {
    const { emulator, stage, words } = await setUp(t);
    const { code, output, notes } = await stage.run(
      words(
        'hills',
        '--system',
        'hostaway',
        '--secrets-from-stdin',
        '--time-zone',
        'Europe/Lisbon',
        '--json',
      ),
      secretsOf(emulator),
    );
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
    // The second command finds them there, and a second brand may use the same account.
    const again = await stage.run(words('hills'));
    assert.equal(again.code, 0, again.notes);
    const second = await stage.run(words('dunes', '--system', 'hostaway', '--account', 'hills'));
    assert.equal(second.code, 0, second.notes);
    assert.equal(parse(stage.file()).brands[1].booking_system.account, 'hills');
  });

  it('changes only what differs in an entry that is there, and keeps all comments', async (t) => {
    const { emulator, stage, words } = await setUp(t);
    const connectHills = (...more: readonly string[]) =>
      stage.run(words('hills', '--secrets-from-stdin', ...more), secretsOf(emulator));
    assert.equal((await connectHills('--system', 'hostaway', '--time-zone', 'Europe/Lisbon')).code, 0);
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
    assert.deepEqual(brand.booking_system, {
      ...parse(commented).brands[0].booking_system,
      timeout_ms: 4000,
    });
  });

  it('keeps what was written into the files while the booking system was asked', async (t) => {
    const { emulator, stage, words } = await setUp(t, startLodgify);
    const page = `http://${emulator.websiteHost}${PAGE}`;
    const options = [
      '--system',
      'lodgify',
      '--time-zone',
      'Europe/Lisbon',
      '--stay-url',
      page,
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

  it('says where the network file has a fault, and leaves it alone', async (t) => {
    const { stage, words } = await setUp(t);
    const file = join(stage.directory, 'network.jsonc');
    writeFileSync(file, stage.file().replace('"places": [],', '"places": [,'));
    const before = stage.file();
    const { code, notes } = await stage.run(words('hills', '--system', 'hostaway'));
    assert.equal(code, 2);
    assert.match(
      notes.replaceAll(/\s+/g, ' '),
      /network\.jsonc is not valid JSON: .* in line \d+, column \d+/,
    );
    assert.equal(stage.file(), before);
  });

  it('fails when the account has no listing', async (t) => {
    const { emulator, stage, words } = await setUp(t, startHostaway, []);
    const { code, output } = await stage.run(
      words('hills', '--system', 'hostaway', '--secrets-from-stdin'),
      secretsOf(emulator),
    );
    assert.equal(code, 1);
    assert.match(output, /Hostaway: 0 listings in no city/);
    assert.match(output, /✖ {2}listings .*0 on offer/);
    assert.match(output, /list homes in this account, or connect another/);
  });

  it('shows nothing that a terminal obeys, whatever an operator calls its cities', async (t) => {
    const city = 'Lis\u001b[31mbon\u0007\u202e';
    const { emulator, stage, words } = await setUp(t, startHostaway, [aHome({ id: 1, city })]);
    const { output, notes } = await stage.run(
      words('hills', '--system', 'hostaway', '--secrets-from-stdin'),
      secretsOf(emulator),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    assert.doesNotMatch(output + notes, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('refuses a name that no brand can have, and a network file that is not there', async (t) => {
    const { stage, words } = await setUp(t);
    const wrong = await stage.run(words('Harbor Homes', '--system', 'lodgify'));
    assert.equal(wrong.code, 2);
    assert.match(wrong.notes, /Harbor Homes cannot be the name of a brand/);
    const nowhere = await stage.run([...words('harbor'), '--network', 'nowhere.jsonc']);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.notes, /nowhere\.jsonc cannot be read/);
  });
});
