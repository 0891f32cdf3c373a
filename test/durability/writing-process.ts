import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';
import { changeTo, LAST_REVISION, sessionAt } from './workload.ts';

/**
 * Writes until it is killed, or until the storage has refused often enough. Lines on the standard output tell what the
 * storage has confirmed (`opened`, `committed`, `card`) and what is about to be deleted (`deleting`).
 */
const [directory = '', name = '', firstExpiry = '0'] = process.argv.slice(2);
const LANES = 12;
const REFUSALS_UNTIL_END = 50;

const { sessions, inventory, close } = await openSqliteIn(directory);
const say = (...words: readonly (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);
/** When the session that each lane works on expires: everything before the earliest can be deleted. */
const expiries: number[] = new Array(LANES).fill(Number(firstExpiry));
let nextExpiry = Number(firstExpiry);
let refusals = 0;

say('ready');
await Promise.all([...expiries.keys()].map(lane).concat(cards()));
await close();

async function lane(at: number): Promise<void> {
  while (refusals < REFUSALS_UNTIL_END) {
    nextExpiry += 1;
    const expiresAt = nextExpiry;
    expiries[at] = expiresAt;
    const id = `${name}-${expiresAt}`;
    const opened = sessions.open(sessionAt(id, expiresAt, 0)).then(() => 'opened');
    if (!(await confirmed(opened))) continue;
    say('opened', id, expiresAt);
    for (let revision = 1; revision <= LAST_REVISION; revision += 1) {
      const outcome = await confirmed(sessions.commit(changeTo(sessionAt(id, expiresAt, revision))));
      if (outcome === undefined) break;
      say(outcome.kind, id, revision);
    }
    if (expiresAt % 10 === 0) await deleteExpired();
  }
}

async function deleteExpired(): Promise<void> {
  const before = Math.min(...expiries);
  // The kill may come right after it took effect, so it is announced first.
  await new Promise((resolve) => process.stdout.write(`deleting ${before}\n`, resolve));
  // The ten that expired last lose only their bodies.
  await confirmed(sessions.deleteExpired({ bodiesBefore: before, sessionsBefore: before - 10, limit: 30 }));
}

async function cards(): Promise<void> {
  for (let version = 1; refusals < REFUSALS_UNTIL_END; version += 1) {
    const written = await confirmed(
      inventory.saveDocument(name, new TextEncoder().encode(JSON.stringify({ version }))).then(() => true),
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
