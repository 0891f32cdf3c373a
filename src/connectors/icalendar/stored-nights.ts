import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import type { Clock } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { OwnedBytes, StoredDocument } from '../../parsing/owned-memory.ts';
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

/** Pairs of days: the first night of a range, and the day after its last night. */
export type PackedNights = Int32Array;

/** The accepted nights of a feed. `doubtedSince`: when a later reading first lacked most of them, in epoch milliseconds. */
export type StoredFeed = { readonly nights: PackedNights; readonly doubtedSince: number | null };

/**
 * Stores the accepted nights of each feed for a restart, and for the next leader. Stores nothing else of a feed, because feeds name
 * guests.
 */
export type StoredNights = {
  of(id: string): Promise<StoredFeed | undefined>;
  set(id: string, feed: StoredFeed): void;
  forget(id: string): void;
  /** Drops all other feeds, in several turns of the event loop. */
  retain(ids: ReadonlySet<string>): Promise<void>;
  /** A node that does not lead reads and writes nothing. When it begins to lead, it loads the nights that the last leader stored. */
  leads(isLeading: boolean): void;
  /** Writes all pending changes. */
  close(): Promise<void>;
};

type Slot = Map<string, StoredFeed>;

/** All feeds share a fixed number of documents, because operators add and remove feeds at will. */
const DOCUMENTS = 16;
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

  /** An operator can choose addresses that all fall into one document, so its size must not block the event loop. */
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
      // The node stopped leading meanwhile.
      if (position < 0) continue;
      // Feeds that cannot be stored are read again after a restart.
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

/**
 * A document begins with this marker of its format. Then follow for each feed: sixteen bytes of its id, the instant since which it is
 * doubted (0 for none) in two words, the number of days, and the days. All words have four bytes in the byte order of memory, so that
 * nothing is converted to text.
 */
const FORM = new TextEncoder().encode('nights/3');
const BYTES_A_WORD = 4;
const WORDS_OF_AN_ID = 4;
const WORDS_BEFORE_DAYS = WORDS_OF_AN_ID + 3;
const WORD = 2 ** 31;
/** The days that can be copied in two milliseconds. An id costs as much as a hundred days. */
const WORK_A_TURN = 200_000;
const WORK_OF_A_FEED = 100;
const FEEDS_COUNTED_A_TURN = 10_000;

/** Takes several turns of the event loop, because operators decide the number and the length of the feeds. */
export async function packNights(feeds: ReadonlyMap<string, StoredFeed>): Promise<OwnedBytes> {
  const entries: [string, StoredFeed][] = [];
  let words = 0;
  await inTurns(feeds, FEEDS_COUNTED_A_TURN, (entry) => {
    entries.push(entry);
    words += WORDS_BEFORE_DAYS + entry[1].nights.length;
  });
  const document = new Uint8Array(FORM.length + words * BYTES_A_WORD);
  const view = new Int32Array(document.buffer);
  document.set(FORM);
  const pace = createTurns();
  let at = FORM.length / BYTES_A_WORD;
  for (const [id, { nights: days, doubtedSince }] of entries) {
    document.set(Buffer.from(id, 'hex'), at * BYTES_A_WORD);
    view[at + WORDS_OF_AN_ID] = Math.floor((doubtedSince ?? 0) / WORD);
    view[at + WORDS_OF_AN_ID + 1] = (doubtedSince ?? 0) % WORD;
    view[at + WORDS_OF_AN_ID + 2] = days.length;
    view.set(days, at + WORDS_BEFORE_DAYS);
    at += WORDS_BEFORE_DAYS + days.length;
    if (pace.isOver(days.length)) await nextTurn();
  }
  return document;
}

/** Takes several turns too. Reads nothing of a document in an older format, and a damaged document only up to the damage. */
export async function unpackNights(
  document: Uint8Array,
  take: (id: string, feed: StoredFeed) => void,
): Promise<void> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  if (bytes.length % BYTES_A_WORD !== 0 || !FORM.every((byte, index) => bytes[index] === byte)) return;
  // An Int32Array must be aligned to four bytes; a document may begin anywhere in its memory.
  const aligned = document.byteOffset % BYTES_A_WORD === 0 ? document : document.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / BYTES_A_WORD);
  const pace = createTurns();
  for (let at = FORM.length / BYTES_A_WORD; at + WORDS_BEFORE_DAYS <= words.length; ) {
    const doubtedSince = (words[at + WORDS_OF_AN_ID] ?? 0) * WORD + (words[at + WORDS_OF_AN_ID + 1] ?? 0);
    const days = words[at + WORDS_OF_AN_ID + 2] ?? -1;
    const start = at + WORDS_BEFORE_DAYS;
    if (days < 0 || days % 2 !== 0 || start + days > words.length) return;
    const id = bytes.toString('hex', at * BYTES_A_WORD, (at + WORDS_OF_AN_ID) * BYTES_A_WORD);
    // A copy, so that one feed does not hold the memory of the whole document.
    const nights = words.slice(start, start + days);
    take(id, { nights, doubtedSince: doubtedSince === 0 ? null : doubtedSince });
    at = start + days;
    if (pace.isOver(days)) await nextTurn();
  }
}

function createTurns() {
  let work = 0;
  return {
    isOver(days: number): boolean {
      work += WORK_OF_A_FEED + days;
      if (work < WORK_A_TURN) return false;
      work = 0;
      return true;
    },
  };
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
  const end = today + HORIZON_NIGHTS;
  const lost = { nights: 0, stretches: 0 };
  let ahead = 0;
  let next = 0;

  function lose(from: Day, to: Day): void {
    if (from >= to) return;
    lost.nights += to - from;
    lost.stretches += 1;
  }

  for (const [from, to] of within(before, today, end)) {
    ahead += to - from;
    let at = from;
    // Both lists are sorted and without overlaps.
    while (next < after.length && (after[next + 1] ?? 0) <= at) next += 2;
    for (let overlap = next; overlap < after.length && (after[overlap] ?? 0) < to; overlap += 2) {
      lose(at, after[overlap] ?? 0);
      at = Math.min(to, after[overlap + 1] ?? 0);
    }
    lose(at, to);
  }
  const isEmpty = within(after, today, end).next().done ?? false;
  const isMoreThanOneBooking = lost.stretches > 1 || lost.nights > MAX_BOOKING_NIGHTS;
  const losesMost = lost.nights * 2 > ahead && isMoreThanOneBooking;
  return lost.nights > 0 && (isEmpty || losesMost) ? { lost: lost.nights, of: ahead } : null;
}

function* within(nights: PackedNights, first: Day, end: Day): Generator<readonly [from: Day, to: Day]> {
  for (let at = 0; at < nights.length; at += 2) {
    const from = Math.max(first, nights[at] ?? 0);
    const to = Math.min(end, nights[at + 1] ?? 0);
    if (from < to) yield [from, to];
  }
}
