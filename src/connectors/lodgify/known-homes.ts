import { inTurns } from '../../limits/event-loop.ts';
import type { KnownListing, StoredEntries } from '../shared/listings/known-listings.ts';

/** What a quote needs to know of a property. */
export type KnownHome = KnownListing & { readonly room: string };

/** The vendor tells the policy of a property only with a price, so it is asked for one now and then. */
export type KnownPolicy = {
  /** Empty when a price came without one. */
  readonly text: string;
  /** In epoch milliseconds. */
  readonly readAt: number;
};

export type KnownHomes = {
  readonly homes: ReadonlyMap<string, KnownHome>;
  readonly policies: ReadonlyMap<string, KnownPolicy>;
};

/** An operator has few policies for its many homes. One with more is asked again after a restart. */
const MAX_TEXTS = 500;
/** Of all texts together. A character takes up to six bytes. */
const MAX_TEXT_CHARACTERS = 500_000;
/** Comparing the long texts of so many takes a millisecond or less. */
const POLICIES_PER_TURN = 50;

type StoredText = readonly [kind: 'text', text: string];
type StoredHome = readonly [
  kind: 'home',
  reference: string,
  room: string,
  maxGuests: number,
  currency: string,
];
/** The texts are numbered in the order in which they are stored. */
type StoredPolicy = readonly [kind: 'policy', reference: string, text: number, readAt: number];
type StoredEntry = StoredText | StoredHome | StoredPolicy;

/** The limits of its stays are in its calendar. */
export function lodgifyHome(room: string, maxGuests: number, currency: string): KnownHome {
  return { room, maxGuests, currency, minimumStay: null, maximumStay: null };
}

/** Undefined when there are none, or when an earlier release wrote them in another way. */
export async function loadKnownHomes(stored: StoredEntries): Promise<KnownHomes | undefined> {
  const texts: string[] = [];
  const homes = new Map<string, KnownHome>();
  const policies = new Map<string, KnownPolicy>();
  const isRead = await stored.read((entry) => {
    // Our own document: `saveKnownHomes` has written it.
    const known = entry as StoredEntry;
    switch (known[0]) {
      case 'text':
        texts.push(known[1]);
        break;
      case 'home':
        homes.set(known[1], lodgifyHome(known[2], known[3], known[4]));
        break;
      case 'policy':
        policies.set(known[1], { text: texts[known[2]] ?? '', readAt: known[3] });
    }
  });
  return isRead ? { homes, policies } : undefined;
}

export async function saveKnownHomes(stored: StoredEntries, known: KnownHomes): Promise<void> {
  await stored.save(() => entriesOf(known));
}

async function entriesOf({ homes, policies }: KnownHomes): Promise<Iterable<StoredEntry>> {
  const indexes = new Map<string, number>();
  let characters = 0;
  const kept: StoredPolicy[] = [];
  await inTurns(policies, POLICIES_PER_TURN, ([reference, { text, readAt }]) => {
    let index = indexes.get(text);
    if (index === undefined) {
      if (indexes.size >= MAX_TEXTS || characters + text.length > MAX_TEXT_CHARACTERS) return;
      index = indexes.size;
      indexes.set(text, index);
      characters += text.length;
    }
    kept.push(['policy', reference, index, readAt]);
  });
  return inOrder(indexes.keys(), homes, kept);
}

/** The texts before the policies that refer to them. */
function* inOrder(
  texts: Iterable<string>,
  homes: KnownHomes['homes'],
  policies: Iterable<StoredPolicy>,
): Generator<StoredEntry> {
  for (const text of texts) yield ['text', text];
  for (const [reference, { room, maxGuests, currency }] of homes) {
    yield ['home', reference, room, maxGuests, currency];
  }
  yield* policies;
}
