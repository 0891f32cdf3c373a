import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createCliTools } from '../../src/app/cli-tools.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { systemClock } from '../../src/clock.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import { systemRandom } from '../../src/random.ts';
import { STORES } from '../../src/storage/stores.ts';
import { plainServer } from '../support/plain-server.ts';
import { createScriptedTerminal } from '../support/scripted-terminal.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const START = Date.UTC(2027, 4, 8, 11, 20);

const feedOf = (...days: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    ...days.flatMap((day) => ['BEGIN:VEVENT', `DTSTART;VALUE=DATE:${day}`, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** A brand with a rate card, whose home has a feed, and an owner at a terminal. */
async function createStage(t: TestContext) {
  const published = { feed: feedOf('20270520', '20270521', '20270610') };
  const server = await plainServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(published.feed),
  );
  t.after(() => server.close());
  const directory = temporaryDirectory(t);
  const example = (name: string) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8'));
  const network = example('network.json');
  const [, moinho] = network.brands;
  moinho.booking_system.feed_hosts = [new URL(server.url).host];
  writeFileSync(join(directory, 'network.json'), JSON.stringify({ ...network, brands: [moinho] }));
  const card = example('rate-card.json');
  card.properties[0].availability_feed = `${server.url}/mill.ics`;
  writeFileSync(join(directory, 'rate-card.json'), JSON.stringify(card));
  mkdirSync(join(directory, 'data'));

  let passedMs = 0;
  const clock = {
    ...systemClock,
    now: () => START + passedMs,
    elapsed: () => systemClock.elapsed() + passedMs,
  };
  async function run(...words: readonly string[]) {
    const terminal = createScriptedTerminal();
    const tools = createCliTools({
      env: { STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8', STAYWIRE_DATA_DIR: join(directory, 'data') },
      directory,
      terminal,
      clock,
      random: systemRandom,
      signal: new AbortController().signal,
      readInput: async () => '',
      serve: async () => undefined,
      serveMcp: async () => undefined,
    });
    const code = await runCommandLine(words, { ...tools, createIntake: createInlineIntake }, '0.0.0');
    return { code, output: terminal.printed.join('\n'), notes: terminal.noted.join('\n') };
  }
  /** Whether the nights that the feed took at first are on offer now. */
  async function nightsOnOffer(): Promise<readonly boolean[]> {
    const storage = await STORES.sqlite({
      directory: join(directory, 'data'),
      rateRule: { limit: 1, windowMs: 1 },
      report: () => undefined,
    });
    const free: boolean[] = [];
    await storage.inventory.load((few) => {
      for (const { content } of few) {
        const { firstDay = 0, available } = content?.calendar ?? {};
        for (const day of ['2027-05-20', '2027-05-21', '2027-06-10'])
          free.push(available?.[Date.parse(day) / 86_400_000 - firstDay] === 1);
      }
    });
    await storage.close();
    return free;
  }
  return {
    published,
    run,
    nightsOnOffer,
    pass(milliseconds: number) {
      passedMs += milliseconds;
    },
  };
}

describe('a feed that is suddenly empty', () => {
  it('frees no night, and is reported', async (t) => {
    const { published, run, nightsOnOffer, pass } = await createStage(t);
    const first = await run('sync', '--full');
    assert.equal(first.code, 0, first.output + first.notes);
    assert.deepEqual(await nightsOnOffer(), [false, false, false]);
    published.feed = feedOf();
    pass(65_000);
    const second = await run('sync', '--full');
    assert.equal(second.code, 0, second.output + second.notes);
    assert.match(second.notes, /moinho: a feed of mill has lost 3 of 3 taken nights, which stay taken/);
    assert.deepEqual(await nightsOnOffer(), [false, false, false]);
    const held = await run('held-back', 'moinho', '--json');
    const [entry] = JSON.parse(held.output).brands[0].held_back;
    assert.deepEqual(
      [entry.reference, entry.place, entry.rule, entry.value, entry.repaired],
      ['mill', 'calendar', 'feed_lost_nights', '3 of 3 nights, since 2027-05-08 11:21 UTC', true],
    );
  });

  it('is believed six hours later, and not before', async (t) => {
    const { published, run, nightsOnOffer, pass } = await createStage(t);
    await run('sync', '--full');
    published.feed = feedOf();
    for (const [milliseconds, isFree] of [
      [65_000, false],
      [5 * 3_600_000, false],
      [3_600_000 + 60_000, true],
    ] as const) {
      pass(milliseconds);
      await run('sync', '--full');
      assert.deepEqual(await nightsOnOffer(), [isFree, isFree, isFree]);
    }
  });
});
