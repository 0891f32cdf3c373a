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
  const nightsOf = new Map<string, PackedNights>();
  const changed = new Set<number>();
  let loading: Promise<void> | undefined;
  let writing = Promise.resolve();
  let cancelTimer: (() => void) | undefined;

  async function load(): Promise<void> {
    for (let slot = 0; slot < DOCUMENTS; slot += 1) {
      const document = await stored(nameOf(slot)).read();
      if (document === undefined) continue;
      for (const [id, nights] of entriesOf(document)) if (!nightsOf.has(id)) nightsOf.set(id, nights);
    }
  }

  function writeSoon(slot: number): void {
    changed.add(slot);
    cancelTimer ??= clock.after(WRITING_DELAY_MS, () => {
      cancelTimer = undefined;
      writing = writing.then(write);
    });
  }

  async function write(): Promise<void> {
    for (const slot of [...changed]) {
      changed.delete(slot);
      const entries = [...nightsOf].filter(([id]) => slotOf(id) === slot);
      const text = JSON.stringify(Object.fromEntries(entries.map(([id, nights]) => [id, [...nights]])));
      // What cannot be stored is read anew after a restart.
      await stored(nameOf(slot))
        .save(new TextEncoder().encode(text))
        .catch(() => undefined);
    }
  }

  return {
    async of(id) {
      loading ??= load();
      await loading;
      return nightsOf.get(id);
    },
    set(id, nights) {
      nightsOf.set(id, nights);
      writeSoon(slotOf(id));
    },
    retain(ids) {
      for (const id of nightsOf.keys()) {
        if (ids.has(id)) continue;
        nightsOf.delete(id);
        writeSoon(slotOf(id));
      }
    },
    async close() {
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

function slotOf(id: string): number {
  return Number.parseInt(id.slice(0, 1), 16);
}

/** Nothing of a document that an earlier release wrote in another form. */
function entriesOf(document: Uint8Array): [string, PackedNights][] {
  try {
    const entries: unknown = JSON.parse(new TextDecoder().decode(document));
    return Object.entries(entries ?? {}).flatMap(([id, nights]): [string, PackedNights][] =>
      Array.isArray(nights) && nights.length % 2 === 0 && nights.every(Number.isInteger)
        ? [[id, Int32Array.from(nights)]]
        : [],
    );
  } catch {
    return [];
  }
}
