import type { StoredDocument } from '../connector.ts';
import type { KnownListing } from '../listings/known-listings.ts';

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

type Stored = {
  readonly texts: readonly string[];
  readonly homes: readonly (readonly [
    reference: string,
    room: string,
    maxGuests: number,
    currency: string,
  ])[];
  readonly policies: readonly (readonly [reference: string, text: number, readAt: number])[];
};

/** The limits of its stays are in its calendar. */
export function lodgifyHome(room: string, maxGuests: number, currency: string): KnownHome {
  return { room, maxGuests, currency, minimumStay: null, maximumStay: null };
}

/** Undefined when there is none, or when an earlier release wrote it in another way. */
export async function loadKnownHomes(stored: StoredDocument): Promise<KnownHomes | undefined> {
  const bytes = await stored.read();
  if (!bytes) return undefined;
  try {
    const { texts, homes, policies }: Stored = JSON.parse(new TextDecoder().decode(bytes));
    return {
      homes: new Map(
        homes.map(([reference, room, maxGuests, currency]) => [
          reference,
          lodgifyHome(room, maxGuests, currency),
        ]),
      ),
      policies: new Map(
        policies.map(([reference, text, readAt]) => [reference, { text: texts[text] ?? '', readAt }]),
      ),
    };
  } catch {
    return undefined;
  }
}

export async function saveKnownHomes(stored: StoredDocument, { homes, policies }: KnownHomes): Promise<void> {
  const indexes = new Map<string, number>();
  const kept: Stored['policies'][number][] = [];
  for (const [reference, { text, readAt }] of policies) {
    if (!indexes.has(text) && indexes.size >= MAX_TEXTS) continue;
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    kept.push([reference, index, readAt]);
  }
  const document: Stored = {
    texts: [...indexes.keys()],
    homes: Array.from(homes, ([reference, { room, maxGuests, currency }]) => [
      reference,
      room,
      maxGuests,
      currency,
    ]),
    policies: kept,
  };
  await stored.save(new TextEncoder().encode(JSON.stringify(document)));
}
