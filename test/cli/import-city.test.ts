import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'jsonc-parser';
import { createCommandStage } from '../support/command-stage.ts';

const KNOWN = ['www.airbnb.com', 'a0.muscache.com'];
const STRANGER = 'not-theirs.example';

/** Three homes of Albany; the pages of those that are given an address are there. */
async function setUp(
  t: TestContext,
  {
    pages = ['', '', ''],
    longitude = '-73.7537',
    names = ['A home', 'A home', 'A home'],
    amenities = '',
  } = {},
) {
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  const listings = pages.map((page, index) =>
    [
      index + 1,
      page,
      names[index],
      2,
      `https://a0.muscache.com/pictures/${index}.jpg`,
      '$70.00',
      longitude,
      `"{${amenities}}"`,
    ].join(),
  );
  const nights = pages.map((_, index) => `${index + 1},2024-11-05,t`);
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(stage.directory, name), lines.join('\n'));
  write('albany-listings.csv', [
    'id,listing_url,name,accommodates,picture_url,price,longitude,amenities',
    ...listings,
  ]);
  write('albany-calendar.csv', ['listing_id,date,available', ...nights]);
  const words = (...more: readonly string[]) => [
    ...[
      'import',
      'inside-airbnb',
      'albany-listings.csv',
      'albany-calendar.csv',
      '--brand',
      'albany',
      ...more,
    ],
  ];
  return { stage, words, file: () => parse(stage.file()) };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('the hosts of an imported city', () => {
  it('are those that the published files are known for, and no more is needed than the files and a brand', async (t) => {
    const { stage, words, file } = await setUp(t);
    const { code, output, notes } = await stage.run(words());
    assert.equal(code, 0, notes);
    assert.deepEqual(file().brands[0].website.hosts, KNOWN);
    assert.match(oneLine(output), /Travellers are sent to pages on www\.airbnb\.com and a0\.muscache\.com/);
    const json = JSON.parse((await stage.run(words('--json'))).output);
    assert.deepEqual(json.hosts.registered, KNOWN);
  });

  it('are no others unless somebody names them, and nobody is asked about those that are known', async (t) => {
    const { stage, words, file } = await setUp(t, { pages: ['', '', `https://${STRANGER}/3`] });
    const before = { file: stage.file(), files: stage.files() };
    const refused = await stage.run(words());
    assert.equal(refused.code, 2);
    assert.ok(refused.notes.includes(`  ${STRANGER} (pages of 1 home)\n`), refused.notes);
    assert.deepEqual({ file: stage.file(), files: stage.files() }, before);

    const asked = await stage.run(words('--time-zone', 'America/New_York'), {
      answers: [['Which of these hosts', KNOWN.join(' ')]],
    });
    assert.equal(asked.code, 0, asked.notes);
    assert.deepEqual(asked.terminal.questions[0]?.initial?.split(' '), KNOWN);
    assert.deepEqual(file().brands[0].website.hosts, KNOWN);
    assert.match(oneLine(asked.output), /! not-theirs\.example \(pages of 1 home\) is not registered/);

    const other = await setUp(t, { pages: ['', '', `https://${STRANGER}/3`] });
    const answers = [['Which of these hosts', 'www.airbnb.com']] as const;
    await other.stage.run(other.words('--time-zone', 'America/New_York'), { answers });
    assert.deepEqual(
      other.file().brands[0].website.hosts,
      ['www.airbnb.com'],
      'what was not chosen stays out',
    );
  });

  it('are those of --host alone, and stay when the city is imported again', async (t) => {
    const { stage, words, file } = await setUp(t);
    assert.equal((await stage.run(words('--host', 'www.airbnb.com'))).code, 0);
    assert.deepEqual(file().brands[0].website.hosts, ['www.airbnb.com']);
    const { code, output } = await stage.run(words());
    assert.equal(code, 0);
    assert.deepEqual(file().brands[0].website.hosts, ['www.airbnb.com']);
    assert.match(oneLine(output), /! a0\.muscache\.com \(pictures of 3 homes\) is not registered/);
  });
});

describe('the time zone of an imported city', () => {
  it('is by its longitude where nobody can be asked, which is said', async (t) => {
    const { stage, words, file } = await setUp(t);
    const { output } = await stage.run(words());
    assert.equal(file().places[0].time_zone, 'Etc/GMT+5');
    assert.match(
      oneLine(output),
      /! The time zone is taken from the longitude \(Etc\/GMT\+5\).* Mend it at albany in the network file/,
    );
    for (const [longitude, zone] of [
      ['139.7', 'Etc/GMT-9'],
      ['-0.1', 'Etc/GMT'],
    ] as const) {
      const other = await setUp(t, { longitude });
      await other.stage.run(other.words());
      assert.equal(other.file().places[0].time_zone, zone);
    }
  });

  it('is asked for where somebody is there, or where no home says where it is', async (t) => {
    const { stage, words, file } = await setUp(t, { longitude: '' });
    const { code, notes } = await stage.run(words());
    assert.equal(code, 2);
    assert.match(notes, /→ give it with --time-zone/);
    assert.equal((await stage.run(words('--time-zone', 'Albany'))).code, 2);
    const answers = [['Time zone of the city', 'America/New_York']] as const;
    assert.equal((await stage.run(words(), { answers })).code, 0);
    assert.equal(file().places[0].time_zone, 'America/New_York');
    // The network knows the city by now.
    const again = await stage.run(words(), { answers: [] });
    assert.equal(again.code, 0, again.notes);
    assert.doesNotMatch(again.output, /time zone/);
  });
});

describe('what the network file has of an imported city', () => {
  it('is used when it is imported again, and an option that differs is refused', async (t) => {
    const { stage, words } = await setUp(t);
    assert.match(
      oneLine((await stage.run(words())).output),
      /! The currency is taken from the sign .*\(USD\)/,
    );
    const differs = await stage.run(words('--currency', 'CAD'));
    assert.equal(differs.code, 2);
    assert.match(
      differs.notes,
      /--currency is CAD, and albany has USD in the network file\.\n→ mend it there, or leave out --currency/,
    );
    assert.equal((await stage.run(words('--time-zone', 'America/Toronto'))).code, 2);
    const none = await stage.run(words('--currency', 'dollars'));
    assert.equal(none.code, 2);
    assert.match(none.notes, /--currency dollars is not a currency code\.\n→ use an ISO 4217 code/);

    writeFileSync(join(stage.directory, 'network.jsonc'), stage.file().replace('"USD"', '"CAD"'));
    const again = await stage.run(words());
    assert.equal(again.code, 0, again.notes);
    assert.doesNotMatch(again.output, /!/);
    assert.match(readFileSync(join(stage.directory, 'imports/albany.jsonl'), 'utf8'), /"currency":"CAD"/);
  });
});

describe('what an import says to do next', () => {
  const tools = { isServing: () => true };

  it('is to synchronise, or to restart a service that does not know the brand', async (t) => {
    const { stage, words } = await setUp(t);
    const before = stage.file();
    assert.match((await stage.run(words())).output, /Next: staywire sync albany$/);
    writeFileSync(join(stage.directory, 'network.jsonc'), before);
    assert.match((await stage.run(words(), { tools })).output, /Next: restart the service$/);
  });

  it('is nothing where the service reads the file again by itself', async (t) => {
    const { stage, words } = await setUp(t);
    await stage.run(words(), { tools });
    const { output } = await stage.run(words(), { tools });
    assert.match(
      oneLine(output),
      /Wrote imports\/albany\.jsonl\. A service that was started with albany reads it again by itself\.$/,
    );
  });
});

describe('what is held back of an imported city', () => {
  it('is what a sync would hold back, and is named by the import', async (t) => {
    const names = ['Loft @Eilandje', 'Sofa bed @living room', 'Book at casas.example/now'];
    const { stage, words } = await setUp(t, { names });
    const { output } = await stage.run(words());
    assert.match(output, /^2 homes and 2 calendars/);
    assert.match(output, /^Held back: 1 row$/m);
    assert.match(oneLine(output), /listings\.csv:4: name carries a web or e-mail address: Book at casas/);
    const { output: synced } = await stage.run(['sync']);
    assert.match(oneLine(synced), /2 listings, 0 held back/);
  });

  it('counts words for amenities up to a limit, and says so beyond it', async (t) => {
    const wordsOf = (count: number) => Array.from({ length: count }, (_, index) => `Oddity ${index}`).join();
    for (const [count, said] of [
      [499, ': 499.'],
      [600, ': at least 500.'],
    ] as const) {
      const { stage, words } = await setUp(t, { amenities: wordsOf(count) });
      const { output } = await stage.run(words());
      assert.ok(oneLine(output).includes(`and are not shown${said}`), output);
    }
  });
});
