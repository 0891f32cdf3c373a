import { createHash } from 'node:crypto';
import { HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import type { Clock } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { StoredDocument } from '../../parsing/owned-memory.ts';
import { jsonIn } from '../../parsing/reading.ts';
import type { Day } from '../../stay/day.ts';

/** The address that publishes the taken nights of a home, and the time zone of the home. */
export type AvailabilityFeed = {
  /** A hash of the other members, because the address is a secret that is neither stored nor reported. */
  readonly id: string;
  readonly url: string;
  readonly timeZone: string;
};

export function availabilityFeed(url: string, timeZone: string): AvailabilityFeed {
  const id = createHash('sha256').update(`${timeZone} ${url}`).digest('hex').slice(0, 32);
  return { id, url, timeZone };
}

/** Pairs of days in order: the first night of a range, and the day after its last night. */
export type PackedNights = Int32Array;

/** The accepted nights of a feed. `doubtedSince`: when a later reading first lacked most of them, in epoch milliseconds. */
export type StoredFeed = { readonly nights: PackedNights; readonly doubtedSince: number | null };

/** Stores the nights of feeds for a restart, and for the next leader. Stores nothing else of a feed, because feeds name guests. */
export type StoredNights = {
  of(id: string): Promise<StoredFeed | undefined>;
  set(id: string, feed: StoredFeed): void;
  /** Drops all other feeds. */
  retain(ids: ReadonlySet<string>): Promise<void>;
  /** A node that does not lead reads and writes nothing. When it begins to lead, it loads the nights that the last leader stored. */
  leads(isLeading: boolean): void;
  /** Writes all pending changes. */
  close(): Promise<void>;
};

type Slot = Map<string, StoredFeed>;

/** All feeds share a fixed number of documents, one of which is written in some milliseconds. */
const DOCUMENTS = 64;
/** The first reading changes every feed; without a delay, each change would write a document. */
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

  async function load(): Promise<void> {
    for (let slot = 0; slot < DOCUMENTS; slot += 1) {
      const document = await stored(`feed-${slot}`).read();
      for (const [id, feed] of document ? feedsIn(document) : []) {
        if (!slotOf(id).has(id)) slotOf(id).set(id, feed);
      }
    }
  }

  function slotOf(id: string): Slot {
    const slot = slots[Number.parseInt(id.slice(0, 2), 16) % DOCUMENTS];
    if (!slot) throw new RangeError('a feed is named by a hash');
    return slot;
  }

  function writeSoon(slot: Slot): void {
    changed.add(slot);
    cancelTimer ??= clock.after(WRITING_DELAY_MS, () => {
      cancelTimer = undefined;
      writing = writing.then(write);
    });
  }

  async function write(): Promise<void> {
    for (const slot of [...changed]) {
      changed.delete(slot);
      const position = slots.indexOf(slot);
      // The node stopped leading meanwhile.
      if (position < 0) continue;
      const entries = Array.from(slot, ([id, { nights, doubtedSince }]) => [id, doubtedSince, [...nights]]);
      const document = new TextEncoder().encode(JSON.stringify(entries));
      // Feeds that cannot be stored are read again after a restart.
      await stored(`feed-${position}`)
        .save(document)
        .catch(() => undefined);
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
    async retain(ids) {
      for (const slot of slots) {
        await inTurns(slot.keys(), FEEDS_A_TURN, (id) => {
          if (!ids.has(id) && slot.delete(id)) writeSoon(slot);
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
      cancelTimer?.();
      writing = writing.then(write);
      await writing;
    },
  };
}

function emptySlots(): readonly Slot[] {
  return Array.from({ length: DOCUMENTS }, () => new Map());
}

/** Empty for a damaged document, and for one in another format. */
function feedsIn(document: Uint8Array): readonly (readonly [id: string, feed: StoredFeed])[] {
  const entries = jsonIn(document);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const [id, doubtedSince, nights]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id) || !Array.isArray(nights)) return [];
    const since = typeof doubtedSince === 'number' ? doubtedSince : null;
    return [[id, { nights: Int32Array.from(nights), doubtedSince: since }] as const];
  });
}

/** `of`: the taken nights in the future. `lost`: how many of them a later reading lacks. */
export type LostNights = { readonly lost: number; readonly of: number };

/** Most bookings are shorter, so one cancellation frees one stretch of at most so many nights. */
const MAX_BOOKING_NIGHTS = 28;

/**
 * The loss of a feed, when it looks like a failure of its channel: all future nights, or more than half of them and more than one
 * cancellation frees. Null for any other change. Ignores past nights, and nights beyond the horizon.
 */
export function doubtfulLoss(before: PackedNights, after: PackedNights, today: Day): LostNights | null {
  const left = new Set(nightsOf(after, today));
  let [ahead, lost, stretches] = [0, 0, 0];
  let lastLost = Number.NEGATIVE_INFINITY;
  for (const night of nightsOf(before, today)) {
    ahead += 1;
    if (left.has(night)) continue;
    lost += 1;
    if (night !== lastLost + 1) stretches += 1;
    lastLost = night;
  }
  const losesMost = lost * 2 > ahead && (stretches > 1 || lost > MAX_BOOKING_NIGHTS);
  return lost > 0 && (left.size === 0 || losesMost) ? { lost, of: ahead } : null;
}

function* nightsOf(nights: PackedNights, today: Day): Generator<Day> {
  for (let at = 0; at < nights.length; at += 2) {
    const end = Math.min(today + HORIZON_NIGHTS, nights[at + 1] ?? 0);
    for (let night = Math.max(today, nights[at] ?? 0); night < end; night += 1) yield night;
  }
}
