import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { changeTo, LAST_REVISION, openingOf, sessionAt } from './workload.ts';

/**
 * Writes until it is killed, or until the storage has refused often enough. A line on the standard output says
 * what the storage has confirmed: `opened`, `committed`, `card`; `forgetting` announces what is about to be
 * done.
 */
const [directory = '', name = '', firstEnd = '0'] = process.argv.slice(2);
const LANES = 12;
const REFUSALS_UNTIL_END = 50;

const { sessions, inventory, close } = await openSqliteStorage({ directory });
const say = (...words: readonly (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);
/** The sessions that each lane works on: what ended before all of them can be forgotten. */
const ends: number[] = new Array(LANES).fill(Number(firstEnd));
let nextEnd = Number(firstEnd);
let refusals = 0;

say('ready');
await Promise.all([...ends.keys()].map(lane).concat(cards()));
await close();

async function lane(at: number): Promise<void> {
  while (refusals < REFUSALS_UNTIL_END) {
    nextEnd += 1;
    const end = nextEnd;
    ends[at] = end;
    const id = `${name}-${end}`;
    const opened = sessions.open(sessionAt(id, end, 0), openingOf(id)).then(() => 'opened');
    if (!(await confirmed(opened))) continue;
    say('opened', id, end);
    for (let revision = 1; revision <= LAST_REVISION; revision += 1) {
      const outcome = await confirmed(sessions.commit(changeTo(sessionAt(id, end, revision))));
      if (outcome === undefined) break;
      say(outcome, id, revision);
    }
    if (end % 10 === 0) await forget();
  }
}

async function forget(): Promise<void> {
  const before = Math.min(...ends);
  // It may take effect before anything else is said, so the announcement has to be out first.
  await new Promise((resolve) => process.stdout.write(`forgetting ${before}\n`, resolve));
  // Half of what is forgotten only loses its bodies.
  await confirmed(sessions.forgetExpired(before, before - 10, 30));
}

async function cards(): Promise<void> {
  for (let version = 1; refusals < REFUSALS_UNTIL_END; version += 1) {
    const written = await confirmed(
      inventory.saveRateCard(name, JSON.stringify({ version })).then(() => true),
    );
    if (written) say('card', version);
  }
}

/** Undefined when the storage refused. */
async function confirmed<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    refusals += 1;
    say('refused', error.kind);
    return undefined;
  }
}
