import { inTurns } from '../../limits/event-loop.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import type { KnownListing, StoredEntries } from '../shared/listings/known-listings.ts';
import type { LodgifyRoom, LodgifySettings } from './payloads.ts';

/** The facts of a property that a quote needs. */
export type KnownHome = KnownListing & { readonly room: string };

/** The vendor states the policy of a property only with a price, so a price is requested occasionally. */
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

/** An operator has few policies for its many homes. The policies beyond this limit are read again after a restart. */
const MAX_TEXTS = 500;
/** The limit of all texts together. A character takes up to six bytes. */
const MAX_TEXT_CHARACTERS = 500_000;
/** Comparing the long texts of this many takes at most a millisecond. */
const POLICIES_PER_TURN = 50;

type StoredText = readonly [kind: 'text', text: string];
type StoredHome = readonly [
  kind: 'home',
  reference: string,
  room: string,
  maxGuests: number,
  currency: string,
];
/** `text` is the position among the stored texts. */
type StoredPolicy = readonly [kind: 'policy', reference: string, text: number, readAt: number];
type StoredEntry = StoredText | StoredHome | StoredPolicy;

/** Its stay limits are in its calendar. */
export function lodgifyHome(room: string, maxGuests: number, currency: string): KnownHome {
  return { room, maxGuests, currency, minimumStay: null, maximumStay: null };
}

/** Undefined when none are stored, or when an earlier release stored another format. */
export async function loadKnownHomes(stored: StoredEntries): Promise<KnownHomes | undefined> {
  const texts: string[] = [];
  const homes = new Map<string, KnownHome>();
  const policies = new Map<string, KnownPolicy>();
  const isRead = await stored.read((entry) => {
    // `saveKnownHomes` wrote this document.
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

/** Writes the texts before the policies that refer to them. */
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

/** The answers about a home that are not in the list of properties. */
export type LodgifyDetails = {
  readonly room: LodgifyRoom | undefined;
  readonly settings: LodgifySettings | undefined;
  readonly updatedAt: string;
  /** In elapsed time. */
  readonly readAt: number;
};

/** Caches one reading's answers for the next. Entries beyond the byte limit are requested again. */
type CachedDetails = {
  readonly details: ReadonlyMap<string, LodgifyDetails>;
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  addDetails(reference: string, details: LodgifyDetails): void;
  addPolicy(reference: string, policy: KnownPolicy): void;
};

export function createCachedDetails(maxBytes: number): CachedDetails {
  const details = new Map<string, LodgifyDetails>();
  const policies = new Map<string, KnownPolicy>();
  let bytes = 0;

  function keep<Value>(kept: Map<string, Value>, reference: string, value: Value): void {
    if (kept.has(reference)) return;
    const weight = reference.length + weightOf(value);
    if (bytes + weight > maxBytes) return;
    bytes += weight;
    kept.set(reference, value);
  }

  return {
    details,
    policies,
    addDetails: (reference, value) => keep(details, reference, value),
    addPolicy: (reference, policy) => keep(policies, reference, policy),
  };
}
