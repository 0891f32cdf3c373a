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
  const entries = createStoredEntries(stored);
  let known: ReadonlyMap<string, Known> | undefined;

  async function readStored(): Promise<void> {
    const listings = new Map<string, Known>();
    // `keep` wrote this document.
    const isRead = await entries.read((entry) => listings.set(...(entry as [string, Known])));
    if (isRead) known ??= listings;
  }

  let reading: Promise<void> | undefined;
  return {
    async all() {
      if (known) return known;
      reading ??= readStored();
      await reading;
      return known;
    },
    async keep(listings) {
      known = listings;
      await entries.save(() => listings);
    },
  };
}

/** Another release may write another format: a document with another header counts as missing. */
const HEADER = 'staywire entries 1\n';
/** Writing or reading this many takes at most a millisecond. An entry is never split. */
const MAX_PART_CHARACTERS = 32 * 1024;
/** Copying this many parts takes less than that; few are longer than the limit. */
const PARTS_COPIED_PER_TURN = 16;
const NEW_LINE = 0x0a;

/**
 * A stored document of many small values, written and read over several turns of the event loop. When the store fails, which it reports
 * itself, the document counts as missing.
 */
export type StoredEntries = {
  /** Calls `entries` after earlier saves have ended, so that the last call wins. */
  save(entries: () => Iterable<unknown> | Promise<Iterable<unknown>>): Promise<void>;
  /** Passes the entries on one by one. False when there is no document that could be read to its end. */
  read(take: (entry: unknown) => void): Promise<boolean>;
};

export function createStoredEntries(stored: StoredDocument): StoredEntries {
  let lastSave = Promise.resolve();

  async function write(entries: Iterable<unknown>): Promise<void> {
    const encoder = new TextEncoder();
    const parts = [encoder.encode(HEADER)];
    await inTurns(partsOf(entries), 1, (part) => parts.push(encoder.encode(part)));
    await stored.save(await joined(parts));
  }

  return {
    save(entries) {
      lastSave = lastSave.then(async () => write(await entries())).catch(() => undefined);
      return lastSave;
    },
    async read(take) {
      const bytes = await stored.read().catch(() => undefined);
      if (!bytes || !startsWithHeader(bytes)) return false;
      const decoder = new TextDecoder();
      try {
        await inTurns(linesOf(bytes, HEADER.length), 1, (line) => {
          const part: unknown[] = JSON.parse(decoder.decode(line));
          for (const entry of part) take(entry);
        });
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Lines of JSON, each a list of entries. */
function* partsOf(entries: Iterable<unknown>): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    texts.push(text);
    characters += text.length;
    if (characters < MAX_PART_CHARACTERS) continue;
    yield lineOf(texts);
    texts = [];
    characters = 0;
  }
  if (texts.length > 0) yield lineOf(texts);
}

const lineOf = (texts: readonly string[]) => `[${texts.join()}]\n`;

async function joined(parts: readonly OwnedBytes[]): Promise<OwnedBytes> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  await inTurns(parts, PARTS_COPIED_PER_TURN, (part) => {
    whole.set(part, at);
    at += part.length;
  });
  return whole;
}

function startsWithHeader(bytes: OwnedBytes): boolean {
  return new TextDecoder().decode(bytes.subarray(0, HEADER.length)) === HEADER;
}

function* linesOf(bytes: OwnedBytes, start: number): Generator<OwnedBytes> {
  for (let from = start; from < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, from);
    const to = end === -1 ? bytes.length : end;
    yield bytes.subarray(from, to);
    from = to + 1;
  }
}
