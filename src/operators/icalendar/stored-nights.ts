import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { StoredDocument } from '../connector.ts';

/** Pairs of days: the first night of a range, and the day after its last one. */
export type PackedNights = Int32Array;

/** The nights of each feed that was accepted last, for a restart. Nothing else of a feed is stored, because feeds name guests. */
export type StoredNights = {
  of(id: string): Promise<PackedNights | undefined>;
  set(id: string, nights: PackedNights): void;
  /** Forgets all others. */
  retain(ids: ReadonlySet<string>): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

/** Operators change feeds as they like, so they share a fixed number of documents, of which the outdated part is dropped. */
const DOCUMENTS = 16;
/** The first reading of all feeds changes each of them, and every change would write a document. */
const WRITING_DELAY_MS = 10_000;

export function createStoredNights({
  stored,
  clock,
}: {
  readonly stored: (name: string) => StoredDocument;
  readonly clock: Pick<Clock, 'after'>;
}): StoredNights {
  const slots = Array.from({ length: DOCUMENTS }, () => new Map<string, PackedNights>());
  const changed = new Set<Map<string, PackedNights>>();
  let loading: Promise<void> | undefined;
  let writing = Promise.resolve();
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    for (let slot = 0; slot < DOCUMENTS; slot += 1) {
      const document = await stored(nameOf(slot)).read();
      if (document === undefined) continue;
      for (const [id, nights] of entriesOf(document)) if (!slotOf(id).has(id)) slotOf(id).set(id, nights);
      await nextTurn();
    }
  }

  /** The first digit of a hash is as good as random. */
  function slotOf(id: string): Map<string, PackedNights> {
    const slot = slots[Number.parseInt(id.slice(0, 1), 16)];
    if (!slot) throw new RangeError('a feed is named by a hash');
    return slot;
  }

  function writeSoon(slot: Map<string, PackedNights>): void {
    changed.add(slot);
    if (isClosed) return;
    cancelTimer ??= clock.after(WRITING_DELAY_MS, () => {
      cancelTimer = undefined;
      writing = writing.then(write);
    });
  }

  async function write(): Promise<void> {
    for (const slot of [...changed]) {
      changed.delete(slot);
      const entries = Array.from(slot, ([id, nights]) => [id, Array.from(nights)] as const);
      const text = JSON.stringify(Object.fromEntries(entries));
      // What cannot be stored is read anew after a restart.
      await stored(nameOf(slots.indexOf(slot)))
        .save(new TextEncoder().encode(text))
        .catch(() => undefined);
      await nextTurn();
    }
  }

  return {
    async of(id) {
      loading ??= load();
      await loading;
      return slotOf(id).get(id);
    },
    set(id, nights) {
      slotOf(id).set(id, nights);
      writeSoon(slotOf(id));
    },
    retain(ids) {
      for (const slot of slots) {
        for (const id of slot.keys()) {
          if (ids.has(id)) continue;
          slot.delete(id);
          writeSoon(slot);
        }
      }
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

function nameOf(slot: number): string {
  return `feed-${slot.toString(16)}`;
}

/** Nothing of a document that an earlier release wrote in another form. */
function entriesOf(document: Uint8Array): [string, PackedNights][] {
  try {
    const entries: unknown = JSON.parse(new TextDecoder().decode(document));
    return Object.entries(entries ?? {}).flatMap(([id, nights]): [string, PackedNights][] =>
      /^[0-9a-f]{32}$/.test(id) &&
      Array.isArray(nights) &&
      nights.length % 2 === 0 &&
      nights.every(Number.isInteger)
        ? [[id, Int32Array.from(nights)]]
        : [],
    );
  } catch {
    return [];
  }
}
