import { systemClock } from '../../src/clock.ts';
import { openLedgerOutbox } from '../../src/storage/cluster/ledger-outbox.ts';
import { numbersFrom, quotesOf } from './workload.ts';

/**
 * Appends to the outbox of the ledger until it is killed, while the ledger takes quotes only now and then. Lines on the standard output tell which
 * changes were tried, kept and discarded, and which quotes are in the ledger.
 */
const [directory = '', name = '', seed = '0'] = process.argv.slice(2);
const LANES = 8;
const REVISION_WITH_QUOTES = 3;

const random = numbersFrom(Number(seed));
const say = (...words: readonly string[]) =>
  new Promise<void>((resolve) => process.stdout.write(`${words.join(' ')}\n`, () => resolve()));

const outbox = await openLedgerOutbox({
  directory,
  clock: systemClock,
  writer: {
    async insert(quotes) {
      if (random() < 0.5) throw new Error('The ledger is down.');
      for (const { nxq } of quotes) await say('delivered', nxq);
    },
  },
});
await say('ready');
await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));

async function work(lane: number): Promise<void> {
  for (let change = 0; ; change += 1) {
    const id = `${name}-${lane}-${change}`;
    await say('tried', id);
    const entries = await outbox.append(quotesOf(id, REVISION_WITH_QUOTES));
    const dice = random();
    if (dice < 0.2) entries.discard();
    else if (dice < 0.9) entries.settle();
    await say(dice < 0.2 ? 'discarded' : 'kept', id);
  }
}
