import type { Clock } from '../../clock.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { Random } from '../../random.ts';
import {
  type PublishedAddress,
  type PublishedContent,
  type PublishedCopies,
  type PublishedCopy,
  type PublishedKind,
  type PublishedObserver,
  textOf,
} from './published-document.ts';

/** A published document that is fetched periodically. Its server cannot affect other documents. */
export type FollowedDocument<Content> = {
  /** Null without a copy that is recent enough. */
  content(): Content | null;
  status(): DocumentStatus;
  stop(): void;
};

export type DocumentStatus = PublishedAddress & {
  /** The source of the content; null without content. */
  readonly source: 'fetch' | 'copy' | 'snapshot' | null;
  /** When its publisher last confirmed it, in epoch milliseconds. */
  readonly confirmedAt: number | null;
  readonly ageMs: number | null;
  /** Also true without content. */
  readonly isTooOld: boolean;
  readonly count: number;
  readonly dropped: number;
  /** The last failure since the last successful fetch. */
  readonly lastFailure: {
    readonly at: number;
    readonly failure: string;
    readonly detail: string;
  } | null;
};

export type FollowSurroundings = {
  readonly fetchDocument: FetchDocument;
  readonly clock: Clock;
  readonly random: Random;
  readonly copies: PublishedCopies;
  /** The age at which a copy expires. */
  readonly maxAgeMs: number;
  readonly observe: PublishedObserver;
};

type Held<Content> = PublishedContent<Content> & {
  readonly source: 'fetch' | 'copy' | 'snapshot';
  readonly confirmedAt: number;
  /** The same moment on the monotonic clock, which may be long before the start. */
  readonly confirmedElapsed: number;
  /** The expiry, on the monotonic clock. */
  readonly usedUntil: number;
  readonly etag: string | null;
};

/** A document is confirmed every few minutes, but its age counts in days, so confirmations are written rarely. */
const WRITE_CONFIRMATION_MS = 60 * 60_000;
/** The limit for shipped lists, whatever the owner's setting: after a year, the networks may belong to others. */
const MAX_SNAPSHOT_AGE_MS = 365 * 24 * 60 * 60_000;
/** Timers of Node.js wait at most 24 days. */
const MAX_TIMER_MS = 24 * 60 * 60_000;
const UNREADABLE = 'unreadable';

export function followDocument<Content>({
  address,
  read,
  snapshot,
  onChange,
  fetchDocument,
  clock,
  random,
  copies,
  maxAgeMs,
  observe,
}: FollowSurroundings & {
  readonly address: PublishedAddress;
  readonly read: (text: string) => Reading<PublishedContent<Content>>;
  /** The copy that was shipped with the service. */
  readonly snapshot: PublishedCopy | null;
  /** Called after `content` has changed. */
  readonly onChange: () => void;
}): FollowedDocument<Content> {
  const ended = new AbortController();
  let held = newest([fromCopy(copies.read(address), 'copy'), fromCopy(snapshot, 'snapshot')]);
  let written = held?.source === 'copy' ? { at: held.confirmedElapsed, text: held.text } : null;
  let isExpiryReported = false;
  let failuresInARow = 0;
  let lastFailure: DocumentStatus['lastFailure'] = null;
  let stopNextFetch = () => {};
  let stopAgeing = () => {};

  const isUsed = () => held !== null && clock.elapsed() < held.usedUntil;

  function ageOf({ confirmedElapsed }: Held<Content>): number {
    return Math.max(0, clock.elapsed() - confirmedElapsed);
  }

  function fromCopy(copy: PublishedCopy | null, source: 'copy' | 'snapshot'): Held<Content> | null {
    if (!copy) return null;
    const reading = read(copy.text);
    if (reading.kind === 'invalid') return null;
    // A copy from the future was written before the clock was corrected. Its age is unknown, so it begins
    // now.
    const ageMs = Math.max(0, clock.now() - copy.confirmedAt);
    const confirmedElapsed = clock.elapsed() - ageMs;
    // A snapshot is older than its release, so its time begins with the first request to the publisher.
    const usedUntil =
      source === 'copy'
        ? confirmedElapsed + maxAgeMs
        : Math.min(clock.elapsed() + maxAgeMs, confirmedElapsed + MAX_SNAPSHOT_AGE_MS);
    return {
      ...reading.value,
      source,
      confirmedAt: copy.confirmedAt,
      confirmedElapsed,
      usedUntil,
      // Fetched completely after each start: this release may read more of it than the one that stored it.
      etag: null,
    };
  }

  /** Reports when the content expires. */
  function age(): void {
    stopAgeing();
    if (!held) return;
    const leftMs = held.usedUntil - clock.elapsed();
    if (leftMs <= 0) return;
    stopAgeing = clock.after(Math.min(leftMs, MAX_TIMER_MS), () => {
      if (isUsed()) return age();
      reportExpiry();
      onChange();
    });
  }

  function reportExpiry(): void {
    if (!held || isExpiryReported) return;
    isExpiryReported = true;
    observe.tooOld(address, ageOf(held));
  }

  function hold(read: PublishedContent<Content>, etag: string | null): void {
    const textBefore = isUsed() ? held?.text : null;
    const hasChanged = read.identity !== held?.identity;
    held = {
      ...read,
      source: 'fetch',
      confirmedAt: clock.now(),
      confirmedElapsed: clock.elapsed(),
      usedUntil: clock.elapsed() + maxAgeMs,
      etag,
    };
    failuresInARow = 0;
    lastFailure = null;
    isExpiryReported = false;
    age();
    // Compare the text, which includes the validity of each key: a withdrawn key must not return with a
    // restart.
    if (held.text !== written?.text || clock.elapsed() - written.at >= WRITE_CONFIRMATION_MS) {
      written = { at: clock.elapsed(), text: held.text };
      copies.write(address, { confirmedAt: held.confirmedAt, text: held.text });
    }
    observe.fetched(address, { hasChanged, count: held.count, dropped: held.dropped });
    if (held.text !== textBefore) onChange();
  }

  function take(fetched: FetchedDocument): number | null {
    if (fetched.kind === 'failed') return fail(fetched.failure, fetched.detail, fetched.retryAfterMs);
    if (fetched.kind === 'unchanged') {
      if (!held) return fail(UNREADABLE, 'is said to be unchanged, but no copy is held', null);
      hold(held, held.etag);
      return null;
    }
    const reading = readBytes(fetched.bytes);
    if (reading.kind === 'invalid') return fail(UNREADABLE, reading.faults.join('; '), null);
    hold(reading.value, fetched.etag);
    return null;
  }

  function readBytes(bytes: Uint8Array): Reading<PublishedContent<Content>> {
    try {
      return read(textOf(bytes));
    } catch {
      return { kind: 'invalid', faults: ['is not text in UTF-8'] };
    }
  }

  /** The content stays until it expires: a server that is down says nothing about its keys or networks. */
  function fail(failure: string, detail: string, retryAfterMs: number | null): number | null {
    failuresInARow += 1;
    lastFailure = { at: clock.now(), failure, detail };
    const used = held && isUsed() ? { source: held.source, ageMs: ageOf(held) } : null;
    observe.failed(address, { failure, detail, used });
    if (!used) reportExpiry();
    return retryAfterMs;
  }

  /** A fault of ours must not stop the periodic fetches. */
  async function fetchOnce(): Promise<FetchedDocument> {
    try {
      return await fetchDocument(address.url, {
        kind: address.kind,
        etag: held?.etag ?? null,
        signal: ended.signal,
      });
    } catch (error) {
      return { kind: 'failed', failure: 'fault', detail: String(error), retryAfterMs: null };
    }
  }

  async function fetchNow(): Promise<void> {
    const fetched = await fetchOnce();
    if (ended.signal.aborted) return;
    const retryAfterMs = take(fetched);
    const pauseMs =
      failuresInARow === 0
        ? pauseAfterSuccess(address.kind, random)
        : pauseAfterFailure(address.kind, { failuresInARow, retryAfterMs }, random);
    stopNextFetch = clock.after(pauseMs, fetchNow);
  }

  age();
  const firstPauseMs =
    held?.source === 'copy' && isUsed()
      ? Math.max(0, pauseAfterSuccess(address.kind, random) - ageOf(held))
      : 0;
  stopNextFetch = clock.after(firstPauseMs, fetchNow);

  return {
    content: () => (held && isUsed() ? held.content : null),
    status: () => ({
      ...address,
      source: held?.source ?? null,
      confirmedAt: held?.confirmedAt ?? null,
      ageMs: held && ageOf(held),
      isTooOld: !isUsed(),
      count: held?.count ?? 0,
      dropped: held?.dropped ?? 0,
      lastFailure,
    }),
    stop() {
      ended.abort(new Error('the document is not wanted any more'));
      stopNextFetch();
      stopAgeing();
    },
  };
}

function newest<Content>(copies: readonly (Held<Content> | null)[]): Held<Content> | null {
  return copies.reduce((best, copy) => {
    if (!best || !copy) return best ?? copy;
    return copy.confirmedElapsed > best.confirmedElapsed ? copy : best;
  }, null);
}

/** A withdrawn key must become invalid soon; networks change rarely. */
const REFRESH_MS: Readonly<Record<PublishedKind, number>> = { keys: 5 * 60_000, ranges: 60 * 60_000 };
const FIRST_RETRY_MS = 15_000;
/** The limit for `Retry-After`. */
const MAX_PAUSE_MS = 60 * 60_000;

/** The pause after a successful fetch, ± 10 %, so that nodes and documents do not fetch at the same moment. */
function pauseAfterSuccess(kind: PublishedKind, random: Random): number {
  return REFRESH_MS[kind] * (0.9 + 0.2 * fractionOf(random));
}

/** Doubles with each failure, up to the usual pause, and is at least as long as the server requests. */
function pauseAfterFailure(
  kind: PublishedKind,
  { failuresInARow, retryAfterMs }: { readonly failuresInARow: number; readonly retryAfterMs: number | null },
  random: Random,
): number {
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failuresInARow - 1, 20), REFRESH_MS[kind]);
  const jittered = backoffMs * (0.8 + 0.4 * fractionOf(random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
}

function fractionOf(random: Random): number {
  return random.bytes(4).readUInt32BE() / 2 ** 32;
}

/**
 * Fetches a published document with one request and a deadline. Never follows a redirect, and never connects to the owner's private
 * networks unless the owner permits it.
 */
export type FetchDocument = (url: string, options: FetchOptions) => Promise<FetchedDocument>;

export type FetchOptions = {
  readonly kind: PublishedKind;
  /** The ETag of the content, so that an unchanged document is not sent again. */
  readonly etag: string | null;
  readonly signal: AbortSignal;
};

export type FetchedDocument =
  | { readonly kind: 'document'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      /** One of a few codes, by which failures are counted. */
      readonly failure: string;
      /** For people. */
      readonly detail: string;
      /** The pause that the server requests. */
      readonly retryAfterMs: number | null;
    };
