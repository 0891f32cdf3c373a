import type { Property } from '../../../catalogue/catalogue.ts';
import { inTurns } from '../../../limits/event-loop.ts';
import type { OwnedBytes, StoredDocument } from '../../../parsing/owned-memory.ts';

/** The stay limits of a listing, for nights whose calendar has none; null when the listing has none. */
export type ListingStayLimits = { readonly minimumStay: number | null; readonly maximumStay: number | null };

/** The facts of the catalogue that prices and calendars depend on. */
export type KnownListing = ListingStayLimits & Pick<Property, 'currency' | 'maxGuests'>;

/** By reference. Survives a restart: stored homes are on offer before the catalogue is read again. */
export type KnownListings<Known extends KnownListing = KnownListing> = {
  /** Undefined until a catalogue was read. */
  all(): Promise<ReadonlyMap<string, Known> | undefined>;
  /** Stores the accepted listings. */
  keep(listings: ReadonlyMap<string, Known>): Promise<void>;
};

const LISTINGS_A_TURN = 2000;
const NO_LIMITS: ListingStayLimits = { minimumStay: null, maximumStay: null };

/** `limits`: by reference, with further facts that a vendor's prices depend on. */
export async function knownFrom<Limits extends ListingStayLimits>(
  accepted: readonly Property[],
  limits: ReadonlyMap<string, Limits>,
): Promise<ReadonlyMap<string, KnownListing & Partial<Limits>>> {
  const known = new Map<string, KnownListing & Partial<Limits>>();
  await inTurns(accepted, LISTINGS_A_TURN, ({ reference, currency, maxGuests }) => {
    const ofListing: Limits | undefined = limits.get(reference);
    known.set(reference, { currency, maxGuests, ...NO_LIMITS, ...(ofListing as Partial<Limits>) });
  });
  return known;
}

export function createKnownListings<Known extends KnownListing = KnownListing>(
  stored: StoredDocument,
): KnownListings<Known> {
  let known: ReadonlyMap<string, Known> | undefined;
  let reading: Promise<void> | undefined;
  let saving = Promise.resolve();

  async function readStored(): Promise<void> {
    const bytes = await stored.read().catch(() => undefined);
    const listings = bytes && (await entriesIn(bytes));
    // `keep` wrote this document.
    if (listings) known ??= new Map(listings as Iterable<[string, Known]>);
  }

  return {
    async all() {
      if (known) return known;
      reading ??= readStored();
      await reading;
      return known;
    },
    async keep(listings) {
      known = listings;
      // One after the other, so that the last call wins. The store reports its failures itself.
      saving = saving.then(async () => stored.save(await documentOf(listings))).catch(() => undefined);
      await saving;
    },
  };
}

/** Another release may write another format: a document with another header counts as missing. */
const HEADER = 'staywire entries 1';
/** Writing or reading a line of this many takes at most a millisecond. */
const ENTRIES_A_LINE = 200;
const NEW_LINE = 0x0a;

/** Lines of JSON, each a list of entries, written over several turns of the event loop. */
async function documentOf(entries: Iterable<unknown>): Promise<OwnedBytes> {
  const lines = [HEADER];
  let few: unknown[] = [];
  await inTurns(entries, ENTRIES_A_LINE, (entry) => {
    few.push(entry);
    if (few.length < ENTRIES_A_LINE) return;
    lines.push(JSON.stringify(few));
    few = [];
  });
  lines.push(JSON.stringify(few));
  return new TextEncoder().encode(lines.join('\n'));
}

/** Undefined for a document that cannot be read to its end. */
async function entriesIn(bytes: OwnedBytes): Promise<readonly unknown[] | undefined> {
  const decoder = new TextDecoder();
  const [header, ...lines] = linesOf(bytes);
  if (decoder.decode(header) !== HEADER) return undefined;
  const entries: unknown[] = [];
  try {
    await inTurns(lines, 1, (line) => entries.push(...(JSON.parse(decoder.decode(line)) as unknown[])));
    return entries;
  } catch {
    return undefined;
  }
}

function* linesOf(bytes: OwnedBytes): Generator<OwnedBytes> {
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, from);
    const to = end === -1 ? bytes.length : end;
    yield bytes.subarray(from, to);
    from = to + 1;
  }
}
