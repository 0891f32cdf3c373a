import { open, stat } from 'node:fs/promises';
import type { BrandBudget, Property } from '../../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import { createCoalescer } from '../../../limits/coalesce.ts';
import { openDeadline } from '../../../limits/deadline.ts';
import type { OpenClient } from '../../../outbound/operator-client.ts';
import { createJsonClient } from '../../../outbound/operator-client.ts';
import type { Unchanged } from '../../../outbound/read-answer.ts';
import { type CollectedDocument, collectDocument } from '../../../outbound/read-answer.ts';
import type { OwnedBytes, StoredDocument } from '../../../parsing/owned-memory.ts';
import { createBudgetMeter } from '../budget-meter.ts';
import type { IntakeOrder } from '../intake/intake.ts';

/** One property of a document. */
type DocumentEntry = { readonly property: Property };

/** An accepted document: its entries by reference, and the report about it. */
export type AcceptedDocument<Entry extends DocumentEntry> = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly reading: CatalogueReading;
};

/** `readAt`: when it was last read or found unchanged, in epoch milliseconds. */
export type ReadDocument<Entry extends DocumentEntry> = AcceptedDocument<Entry> & { readonly readAt: number };

/** The lane of a reading, its signal, and whether the document must come back. */
type ReadingOptions = Required<Pick<IntakeOrder, 'lane' | 'signal' | 'returnsDocument'>>;

/** Runs the intake task that reads such a document. */
type ReadEntries<Entry extends DocumentEntry> = (
  order: ReadingOptions & {
    readonly document: OwnedBytes;
    readonly take: (entries: readonly Entry[], bytes: number) => void;
  },
) => Promise<{
  readonly summary: Omit<CatalogueReading, 'properties'>;
  readonly document: OwnedBytes | null;
}>;

/** The last accepted document, and ways to read it again. */
type LatestDocument<Entry extends DocumentEntry> = {
  /** Reads the source, or joins the reading in flight. If the source is out of reach, returns the last document. */
  refreshed(signal: AbortSignal): Promise<AcceptedDocument<Entry>>;
  /** For pricing: reads now, or returns a document read at most `maxAgeMs` ago if that fails. */
  fresh(signal: AbortSignal): Promise<ReadDocument<Entry>>;
  /** The last document, of any age; after a restart the stored one. */
  accepted(signal: AbortSignal): Promise<AcceptedDocument<Entry> | undefined>;
};

type CachedDocument<Entry extends DocumentEntry> = AcceptedDocument<Entry> & {
  /** Of its bytes, up to 16 MiB, which are not cached. Null for the stored document of an earlier process. */
  readonly digest: string | null;
  readonly version: string | null;
  /** In elapsed time; null for the stored document of an earlier process, whose age is unknown. */
  readonly elapsedAtReading: number | null;
  /** The number of its reading: the result of a reading that a later one overtook is dropped. */
  readonly turn: number;
};

type DatedDocument<Entry extends DocumentEntry> = CachedDocument<Entry> & {
  readonly elapsedAtReading: number;
};

/** Failures to reach the document, not of the document itself. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
]);

/** Leaves time to price from the last document within the four seconds of a quote call. */
const MAX_READING_FOR_A_PRICE_MS = 2500;

export function createLatestDocument<Entry extends DocumentEntry>({
  source,
  stored,
  readEntries,
  clock,
  budget,
  maxAgeMs,
  onLastDocumentUsed,
}: {
  readonly source: DocumentSource;
  readonly stored: StoredDocument;
  readonly readEntries: ReadEntries<Entry>;
  readonly clock: Clock;
  readonly budget: BrandBudget;
  readonly maxAgeMs: number;
  readonly onLastDocumentUsed: (failure: BookingSystemFailure) => void;
}): LatestDocument<Entry> {
  const shareReading = createCoalescer<ReadDocument<Entry>>();
  let cached: CachedDocument<Entry> | undefined;
  let turns = 0;
  let liveReadings = 0;

  async function read(signal: AbortSignal, lane: ReadingOptions['lane']): Promise<ReadDocument<Entry>> {
    turns += 1;
    const turn = turns;
    // The version of the accepted document, not of the last reading: a refused document is read and refused again.
    const known = cached;
    const answer = await source.read({ version: known?.version ?? null, signal });
    const elapsedAtReading = clock.elapsed();
    const isKnown =
      answer.kind === 'unchanged' || (answer.digest !== null && answer.digest === known?.digest);
    if (isKnown) {
      if (!known) {
        throw new BookingSystemFailure('garbled', 'a document was called unchanged that was never read');
      }
      const version = answer.kind === 'unchanged' ? known.version : answer.version;
      return replaceCached({ ...known, version, elapsedAtReading, turn }).content;
    }
    const { digest, version } = answer;
    const { content, document } = await readDocument(answer.bytes, { signal, lane, returnsDocument: true });
    const { content: current, isNew } = replaceCached({
      ...content,
      digest,
      version,
      elapsedAtReading,
      turn,
    });
    if (isNew && document) await stored.save(document);
    return current;
  }

  async function readDocument(
    document: OwnedBytes,
    options: ReadingOptions,
  ): Promise<{ readonly content: AcceptedDocument<Entry>; readonly document: OwnedBytes | null }> {
    const entries = new Map<string, Entry>();
    const meter = createBudgetMeter(budget);
    const result = await readEntries({
      document,
      ...options,
      take(some, bytes) {
        meter.kept(some.length, bytes);
        for (const entry of some) entries.set(entry.property.reference, entry);
      },
    });
    const properties = Array.from(entries.values(), ({ property }) => property);
    return {
      content: { entries, reading: { properties, ...result.summary } },
      document: result.document,
    };
  }

  /** A document of a later reading wins. */
  function replaceCached(content: DatedDocument<Entry>): {
    readonly content: ReadDocument<Entry>;
    readonly isNew: boolean;
  } {
    if (cached && isDated(cached) && cached.turn > content.turn)
      return { content: asRead(cached), isNew: false };
    cached = content;
    return { content: asRead(content), isNew: true };
  }

  /** Computed from the age: if the wall clock was set back, a stored time would lie in the future. */
  function asRead(content: DatedDocument<Entry>): ReadDocument<Entry> {
    return { ...content, readAt: Math.floor(clock.now() - ageOf(content)) };
  }

  function ageOf({ elapsedAtReading }: DatedDocument<Entry>): number {
    return clock.elapsed() - elapsedAtReading;
  }

  function readForAPrice(signal: AbortSignal): Promise<ReadDocument<Entry>> {
    const start = async (shared: AbortSignal) => {
      liveReadings += 1;
      try {
        return await read(shared, 'live');
      } finally {
        liveReadings -= 1;
      }
    };
    return shareReading('for a price', start, signal);
  }

  /** A refresh joins a reading for a price; a price never waits for a refresh. */
  function readForARefresh(signal: AbortSignal): Promise<ReadDocument<Entry>> {
    if (liveReadings > 0) return readForAPrice(signal);
    return shareReading('for a refresh', (shared) => read(shared, 'background'), signal);
  }

  async function accepted(signal: AbortSignal): Promise<CachedDocument<Entry> | undefined> {
    if (cached) return cached;
    const document = await stored.read();
    if (document === undefined || cached) return cached;
    const { content } = await readDocument(document, { signal, lane: 'background', returnsDocument: false });
    cached ??= { ...content, digest: null, version: null, elapsedAtReading: null, turn: 0 };
    return cached;
  }

  return {
    accepted,
    async refreshed(signal) {
      try {
        return await readForARefresh(signal);
      } catch (error) {
        if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
        const isOutOfReach = error instanceof BookingSystemFailure && OUT_OF_REACH.has(error.kind);
        const last = isOutOfReach ? await accepted(signal) : undefined;
        if (!isOutOfReach || !last) throw error;
        onLastDocumentUsed(error);
        return last;
      }
    },
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return await readForAPrice(deadline.signal);
      } catch (error) {
        const last = cached;
        if (!last || !isDated(last) || signal.aborted || ageOf(last) > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastDocumentUsed(error);
        return asRead(last);
      } finally {
        deadline.close();
      }
    },
  };
}

function isDated<Entry extends DocumentEntry>(
  content: CachedDocument<Entry>,
): content is DatedDocument<Entry> {
  return content.elapsedAtReading !== null;
}

/** The place where an operator publishes a document for pricing. Every error is a `BookingSystemFailure`. */
export type DocumentSource = {
  /** Returns `Unchanged` only if `version` names an earlier document. */
  read(options: {
    readonly version: string | null;
    readonly signal: AbortSignal;
  }): Promise<PublishedDocument | Unchanged>;
  close(): Promise<void>;
};

type PublishedDocument = {
  readonly kind: 'document';
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes. */
  readonly digest: string | null;
  /** The ETag of a URL, or size, time and inode of a file; null when there is none. */
  readonly version: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;
/** One for background readings, and one for prices. */
const CONNECTIONS = 2;

export function documentFile(path: string): DocumentSource {
  return {
    async read({ version, signal }) {
      try {
        // Before the content: a file written in between is read again next time.
        const { size, mtimeNs, ino } = await stat(path, { bigint: true });
        const currentVersion = [mtimeNs, size, ino].join(' ');
        signal.throwIfAborted();
        if (version === currentVersion) return { kind: 'unchanged' };
        const document = await readDocument(path, Number(size), signal);
        return { kind: 'document', ...document, version: currentVersion };
      } catch (cause) {
        if (cause instanceof BookingSystemFailure) throw cause;
        throw new BookingSystemFailure(
          signal.aborted ? 'timeout' : 'unreachable',
          'the document cannot be read',
          { cause },
        );
      }
    },
    close: async () => undefined,
  };
}

async function readDocument(path: string, size: number, signal: AbortSignal): Promise<CollectedDocument> {
  await using file = await open(path);
  const chunks = file.createReadStream({ highWaterMark: CHUNK_BYTES, signal });
  return await collectDocument(chunks, { maxBytes: MAX_BYTES, expectedBytes: size, withDigest: true });
}

export function documentUrl({
  url,
  openClient,
}: {
  readonly url: string;
  readonly openClient: OpenClient;
}): DocumentSource {
  const { origin, pathname, search } = new URL(url);
  const client = createJsonClient({ openClient, baseUrl: origin, token: null, connections: CONNECTIONS });
  return {
    async read({ version, signal }) {
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, etag: version };
      const answer = await client.get(pathname + search, options);
      if (answer.kind === 'unchanged') return answer;
      const { bytes, digest } = answer;
      return { kind: 'document', bytes, digest, version: answer.etag };
    },
    close: () => client.close(),
  };
}
