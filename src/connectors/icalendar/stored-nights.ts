import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { StoredDocument } from '../../parsing/owned-memory.ts';
import { packNights, type StoredFeed, unpackNights } from './packed-nights.ts';

/** The nights of each feed that were accepted last, for a restart and for the node that leads next. Nothing else of a feed is stored, because feeds name guests. */
export type StoredNights = {
  of(id: string): Promise<StoredFeed | undefined>;
  set(id: string, feed: StoredFeed): void;
  forget(id: string): void;
  /** Forgets all others, in several turns of the event loop. */
  retain(ids: ReadonlySet<string>): Promise<void>;
  /** A node that does not lead knows and writes nothing: what the leader stores is read when this one begins to lead. */
  leads(isLeading: boolean): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

type Slot = Map<string, StoredFeed>;

/** Operators change feeds as they like, so they share a fixed number of documents, of which the outdated part is dropped. */
const DOCUMENTS = 16;
/** The first reading of all feeds changes each of them, and every change would write a document. */
const WRITING_DELAY_MS = 10_000;
const FEEDS_A_TURN = 5000;

export function createStoredNights({
  stored,
  clock,
}: {
  readonly stored: (name: string) => StoredDocument;
  readonly clock: Pick<Clock, 'after'>;
}): StoredNights {
  let slots = emptySlots();
  const changed = new Set<Slot>();
  let isLeading = true;
  let loading: Promise<void> | undefined;
  let writing = Promise.resolve();
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    for (let slot = 0; slot < DOCUMENTS; slot += 1) {
      const document = await stored(nameOf(slot)).read();
      if (document === undefined) continue;
      await unpackNights(document, (id, feed) => {
        if (!slotOf(id).has(id)) slotOf(id).set(id, feed);
      });
      await nextTurn();
    }
  }

  /** Whoever writes the addresses can have all of them in one document, which therefore costs no turn more than others. */
  function slotOf(id: string): Slot {
    const slot = slots[Number.parseInt(id.slice(0, 1), 16)];
    if (!slot) throw new RangeError('a feed is named by a hash');
    return slot;
  }

  function writeSoon(slot: Slot): void {
    changed.add(slot);
    if (isClosed) return;
    cancelTimer ??= clock.after(WRITING_DELAY_MS, () => {
      cancelTimer = undefined;
      writing = writing.then(write);
    });
  }

  function forget(id: string): void {
    if (slotOf(id).delete(id)) writeSoon(slotOf(id));
  }

  async function write(): Promise<void> {
    for (const slot of [...changed]) {
      changed.delete(slot);
      const document = await packNights(slot);
      const position = slots.indexOf(slot);
      // The lead was lost meanwhile.
      if (position < 0) continue;
      // What cannot be stored is read anew after a restart.
      await stored(nameOf(position))
        .save(document)
        .catch(() => undefined);
      await nextTurn();
    }
  }

  return {
    async of(id) {
      if (!isLeading) return undefined;
      loading ??= load();
      await loading;
      return slotOf(id).get(id);
    },
    set(id, feed) {
      if (!isLeading) return;
      slotOf(id).set(id, feed);
      writeSoon(slotOf(id));
    },
    forget,
    async retain(ids) {
      for (const slot of slots) {
        await inTurns(slot.keys(), FEEDS_A_TURN, (id) => {
          if (!ids.has(id)) forget(id);
        });
      }
    },
    leads(isNowLeading) {
      isLeading = isNowLeading;
      slots = emptySlots();
      changed.clear();
      loading = undefined;
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      cancelTimer = undefined;
      writing = writing.then(write);
      await writing;
    },
  };
}

function emptySlots(): readonly Slot[] {
  return Array.from({ length: DOCUMENTS }, () => new Map());
}

function nameOf(slot: number): string {
  return `feed-${slot.toString(16)}`;
}
