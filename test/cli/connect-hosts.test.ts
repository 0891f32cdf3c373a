import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'jsonc-parser';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { aHome } from '../emulators/homes.ts';
import { startIcalendar } from '../emulators/icalendar.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { rateCardOf } from '../support/emulated-rate-card.ts';
import { AS_SUGGESTED, GIVE_UP } from '../support/scripted-terminal.ts';

const PICTURES = 'pictures.example';
const STRANGER = 'not-theirs.example';

/** A brand with pages on its website, and with one picture of each home elsewhere: two on a host for pictures, one on a stranger's. */
async function setUp(t: TestContext, elsewhere: readonly string[] = [PICTURES, PICTURES, STRANGER]) {
  const homes = [1, 2, 3].map((id) => aHome({ id, cleaningFee: 0 }));
  const feeds = await startIcalendar({ homes, now: vendorClock.now, limits: 'off' });
  t.after(() => feeds.close());
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  const { properties } = rateCardOf(homes, feeds);
  const card = {
    properties: properties.map(({ listing, availability_feed: _, ...entry }, index) => {
      const host = elsewhere[index];
      const picture = { url: `https://${host}/${index}.jpg`, alt: 'The garden', type: 'other' as const };
      return {
        listing: { ...listing, images: [...listing.images, ...(host ? [picture] : [])] },
        ...entry,
      };
    }),
  };
  writeFileSync(join(stage.directory, 'card.json'), JSON.stringify(card));
  const words = (...more: readonly string[]) => [
    ...['connect', 'mill', '--system', 'rate-card', '--set', 'file=card.json'],
    ...['--time-zone', 'Europe/Lisbon', ...more],
  ];
  const hosts = () => parse(stage.file()).brands[0]?.website.hosts;
  return { stage, words, hosts, website: feeds.websiteHost };
}

describe('the hosts of a brand, with a person at the terminal', () => {
  it('are those that they choose from what the listings name, with the number of homes', async (t) => {
    const { stage, words, hosts, website } = await setUp(t);
    const { code, output, notes, terminal } = await stage.run(words(), {
      answers: [['Which of these hosts', `${website} ${PICTURES}`]],
    });
    assert.equal(code, 0, notes);
    const [question] = terminal.questions;
    assert.deepEqual(question?.choices, [
      { value: website, label: website, hint: 'pages of 3 homes, pictures of 3 homes' },
      { value: PICTURES, label: PICTURES, hint: 'pictures of 2 homes' },
      { value: STRANGER, label: STRANGER, hint: 'pictures of 1 home' },
    ]);
    assert.equal(question?.initial, '', 'one is suggested although nobody has named a website');
    assert.deepEqual(hosts(), [website, PICTURES]);
    assert.match(
      output.replaceAll(/\s+/g, ' '),
      /! not-theirs\.example \(pictures of 1 home\) is not registered, .* --host not-theirs\.example ✔/,
    );
  });

  it('are suggested when there is only one, or the website was given', async (t) => {
    const one = await setUp(t, []);
    const answers = [['Which of these hosts', AS_SUGGESTED]] as const;
    assert.equal((await one.stage.run(one.words(), { answers })).code, 0);
    assert.deepEqual(one.hosts(), [one.website]);

    const given = await setUp(t);
    const page = `http://${given.website}/homes/{reference}?from={check_in}&to={check_out}`;
    const { code, terminal } = await given.stage.run(given.words('--stay-url', page), { answers });
    assert.deepEqual([code, terminal.questions[0]?.initial], [0, given.website]);
    assert.deepEqual(given.hosts(), [given.website]);
  });

  it('are not asked for once they are named, and nothing is written when they give up', async (t) => {
    const { stage, words, hosts, website } = await setUp(t);
    const before = stage.file();
    assert.equal((await stage.run(words(), { answers: [['Which of these hosts', GIVE_UP]] })).code, 130);
    assert.equal(stage.file(), before);
    assert.equal((await stage.run(words('--host', website), { answers: [] })).code, 0);
    assert.deepEqual(hosts(), [website]);
    // The entry is there: what was decided stays.
    assert.equal((await stage.run(words(), { answers: [] })).code, 0);
    assert.deepEqual(hosts(), [website]);
  });
});

describe('the hosts of a brand, without a person', () => {
  it('are none that nobody has named, and the command that names them is shown', async (t) => {
    const { stage, words, hosts, website } = await setUp(t);
    const before = stage.file();
    const { code, output, notes } = await stage.run(words());
    assert.deepEqual([code, output], [2, '']);
    for (const line of [
      `${website} (pages of 3 homes, pictures of 3 homes)`,
      'pictures.example (pictures of 2 homes)',
      'not-theirs.example (pictures of 1 home)',
    ])
      assert.ok(notes.includes(`\n  ${line}\n`), notes);
    assert.equal(stage.file(), before);

    const command = notes.slice(notes.indexOf('staywire connect')).replaceAll(/\s*\\\n\s*/g, ' ');
    const expected = words('--host', website, '--host', PICTURES, '--host', STRANGER);
    assert.equal(command, `staywire ${expected.join(' ')}`);
    assert.equal((await stage.run(command.split(' ').slice(1))).code, 0);
    assert.deepEqual(hosts(), [website, PICTURES, STRANGER]);
  });

  it('are named together with all else that is missing', async (t) => {
    const { stage, website } = await setUp(t, []);
    const words = ['connect', 'mill', '--system', 'rate-card', '--set', 'file=card.json'];
    const { code, notes } = await stage.run(words);
    assert.equal(code, 2);
    assert.match(notes, /These cities are not on the network; [^:]*:\n {2}Lisbon\n/);
    assert.ok(
      notes.replaceAll(/\s*\\\n\s*/g, ' ').endsWith(`file=card.json --time-zone ZONE --host ${website}`),
      notes,
    );
  });

  it('are those of the website that was given, when there are no others', async (t) => {
    const page = (website: string) => `http://${website}/homes/{reference}?from={check_in}&to={check_out}`;
    const only = await setUp(t, []);
    assert.equal((await only.stage.run(only.words('--stay-url', page(only.website)))).code, 0);
    assert.deepEqual(only.hosts(), [only.website]);
    const others = await setUp(t);
    const { code, notes } = await others.stage.run(others.words('--stay-url', page(others.website)));
    assert.equal(code, 2);
    assert.match(notes, /not-theirs\.example \(pictures of 1 home\)/);
  });

  it('are in the JSON as found and as registered, and in that of the fault as a command', async (t) => {
    const { stage, words, website } = await setUp(t);
    const refused = JSON.parse((await stage.run(words('--json'))).output);
    assert.match(refused.error.command, /^staywire connect mill .*--host not-theirs\.example$/s);
    const { hosts } = JSON.parse((await stage.run(words('--json', '--host', website))).output);
    assert.deepEqual(hosts, {
      found: [
        { host: website, pages: 3, pictures: 3 },
        { host: PICTURES, pages: 0, pictures: 2 },
        { host: STRANGER, pages: 0, pictures: 1 },
      ],
      registered: [website],
    });
  });

  it('must be names of hosts', async (t) => {
    const { stage, words } = await setUp(t);
    const { code, notes } = await stage.run(words('--host', 'https://mill.example/homes'));
    assert.equal(code, 2);
    assert.match(notes, /is not the name of a host\.\n→ write it without https:\/\//);
  });
});
