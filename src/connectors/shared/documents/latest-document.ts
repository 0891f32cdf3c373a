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

/** What a document says about one property. */
type DocumentEntry = { readonly property: Property };

/** A document that was accepted: its entries by reference, and what is reported about it. */
export type AcceptedDocument<Entry extends DocumentEntry> = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly reading: CatalogueReading;
};

/** A document with the time of the reading that found it, or found it unchanged, in epoch milliseconds. */
export type ReadDocument<Entry extends DocumentEntry> = AcceptedDocument<Entry> & { readonly readAt: number };

/** How much the document matters now: on which lane it is read, for whom, and whether it is wanted back. */
type ReadingOptions = Required<Pick<IntakeOrder, 'lane' | 'signal' | 'returnsDocument'>>;

/** Orders the task of the intake that reads such a document. */
type ReadEntries<Entry extends DocumentEntry> = (
  order: ReadingOptions & {
    readonly document: OwnedBytes;
    readonly take: (entries: readonly Entry[], bytes: number) => void;
  },
) => Promise<{
  readonly summary: Omit<CatalogueReading, 'properties'>;
  readonly document: OwnedBytes | null;
}>;

/** The document that was accepted last, and how it is read again. */
type LatestDocument<Entry extends DocumentEntry> = {
  /** Reads the source, or joins the reading in flight. A source that is out of reach leaves the document as it is. */
  refreshed(signal: AbortSignal): Promise<AcceptedDocument<Entry>>;
  /** For pricing: read now, or at most `maxAgeMs` ago if it cannot be read now. */
  fresh(signal: AbortSignal): Promise<ReadDocument<Entry>>;
  /** However old; after a restart it is the stored one. */
  accepted(signal: AbortSignal): Promise<AcceptedDocument<Entry> | undefined>;
};

type KeptDocument<Entry extends DocumentEntry> = AcceptedDocument<Entry> & {
  /** Of its bytes, which may be 16 MiB and are not kept themselves. Null for the stored document of an earlier process. */
  readonly digest: string | null;
  readonly version: string | null;
  /** In elapsed time; null for the stored document of an earlier process, whose age nobody knows. */
  readonly elapsedAtReading: number | null;
  /** The number of its reading: a reading that was overtaken by a later one is of no use. */
  readonly turn: number;
};

type DatedDocument<Entry extends DocumentEntry> = KeptDocument<Entry> & { readonly elapsedAtReading: number };

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
  let kept: KeptDocument<Entry> | undefined;
  let turns = 0;
  let liveReadings = 0;

  async function read(signal: AbortSignal, lane: ReadingOptions['lane']): Promise<ReadDocument<Entry>> {
    turns += 1;
    const turn = turns;
    // The version of the accepted document, not of the one read last: a refused document is read and refused again.
    const known = kept;
    const answer = await source.read({ version: known?.version ?? null, signal });
    const elapsedAtReading = clock.elapsed();
    const isKnown =
      answer.kind === 'unchanged' || (answer.digest !== null && answer.digest === known?.digest);
    if (isKnown) {
      if (!known) {
        throw new BookingSystemFailure('garbled', 'a document was called unchanged that was never read');
      }
      const version = answer.kind === 'unchanged' ? known.version : answer.version;
      return keep({ ...known, version, elapsedAtReading, turn }).content;
    }
    const { digest, version } = answer;
    const { content, document } = await readDocument(answer.bytes, { signal, lane, returnsDocument: true });
    const { content: current, isNew } = keep({ ...content, digest, version, elapsedAtReading, turn });
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

  /** The document of a later reading stays when there is one. */
  function keep(content: DatedDocument<Entry>): {
    readonly content: ReadDocument<Entry>;
    readonly isNew: boolean;
  } {
    if (kept && isDated(kept) && kept.turn > content.turn) return { content: asRead(kept), isNew: false };
    kept = content;
    return { content: asRead(content), isNew: true };
  }

  /** By the wall clock as it stands: if it was stepped back, the time of the reading would be in the future. */
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
        return await read(shared, 'live_document');
      } finally {
        liveReadings -= 1;
      }
    };
    return shareReading('for a price', start, signal);
  }

  /** A refresh joins a reading for a price, but no price waits for a refresh. */
  function readForARefresh(signal: AbortSignal): Promise<ReadDocument<Entry>> {
    if (liveReadings > 0) return readForAPrice(signal);
    return shareReading('for a refresh', (shared) => read(shared, 'background'), signal);
  }

  async function accepted(signal: AbortSignal): Promise<KeptDocument<Entry> | undefined> {
    if (kept) return kept;
    const document = await stored.read();
    if (document === undefined || kept) return kept;
    const { content } = await readDocument(document, { signal, lane: 'background', returnsDocument: false });
    kept ??= { ...content, digest: null, version: null, elapsedAtReading: null, turn: 0 };
    return kept;
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
        const last = kept;
        if (!last || !isDated(last) || signal.aborted || ageOf(last) > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastDocumentUsed(error);
        return asRead(last);
      } finally {
        deadline.close();
      }
    },
  };
}

function isDated<Entry extends DocumentEntry>(content: KeptDocument<Entry>): content is DatedDocument<Entry> {
  return content.elapsedAtReading !== null;
}

/** Where an operator publishes a document that stays are priced from. Every error is a `BookingSystemFailure`. */
export type DocumentSource = {
  /** Only a reading with the `version` of an earlier document can find it unchanged. */
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
  /** The ETag of a URL, or what identifies the content of a file; null when there is none. */
  readonly version: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;
/** One for a reading in the background, and one for a price that does not wait for it. */
const CONNECTIONS = 2;

export function documentFile(path: string): DocumentSource {
  return {
    async read({ version, signal }) {
      try {
        // Before the content: a file that is written in between is read again the next time.
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
