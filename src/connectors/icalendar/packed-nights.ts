import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTurns } from '../../limits/event-loop.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';

/** Pairs of days: the first night of a range, and the day after its last one. */
export type PackedNights = Int32Array;

/** The nights of a feed that were accepted last, and since when, in epoch milliseconds, a later reading that lacks most of them is doubted. */
export type StoredFeed = { readonly nights: PackedNights; readonly doubtedSince: number | null };

/**
 * A document begins with this, so that one of another form is not taken for it. Then for each feed: sixteen bytes of its id, the instant
 * since which it is doubted, or 0, in two words, how many days follow, and the days. All in words of four bytes as they are in memory, so that nothing has to be written as text.
 */
const FORM = new TextEncoder().encode('nights/3');
const BYTES_A_WORD = 4;
const WORDS_OF_AN_ID = 4;
const WORDS_BEFORE_DAYS = WORDS_OF_AN_ID + 3;
const WORD = 2 ** 31;
/** What can be copied in two milliseconds. An id costs as much as a hundred days. */
const WORK_A_TURN = 200_000;
const WORK_OF_A_FEED = 100;
const FEEDS_COUNTED_A_TURN = 10_000;

/** In several turns of the event loop: an operator decides how many feeds there are, and how long. */
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

/** In several turns too. Nothing of a document that an earlier release wrote in another form, or from where it is damaged. */
export async function unpackNights(
  document: Uint8Array,
  take: (id: string, feed: StoredFeed) => void,
): Promise<void> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  if (bytes.length % BYTES_A_WORD !== 0 || !FORM.every((byte, index) => bytes[index] === byte)) return;
  // Words are where their size lets them be, and a document may begin anywhere in its memory.
  const aligned = document.byteOffset % BYTES_A_WORD === 0 ? document : document.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / BYTES_A_WORD);
  const pace = createTurns();
  for (let at = FORM.length / BYTES_A_WORD; at + WORDS_BEFORE_DAYS <= words.length; ) {
    const doubtedSince = (words[at + WORDS_OF_AN_ID] ?? 0) * WORD + (words[at + WORDS_OF_AN_ID + 1] ?? 0);
    const days = words[at + WORDS_OF_AN_ID + 2] ?? -1;
    const start = at + WORDS_BEFORE_DAYS;
    if (days < 0 || days % 2 !== 0 || start + days > words.length) return;
    const id = bytes.toString('hex', at * BYTES_A_WORD, (at + WORDS_OF_AN_ID) * BYTES_A_WORD);
    // A copy, so that one feed does not keep the memory of all.
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
