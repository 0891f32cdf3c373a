import type { Clock } from '../../clock.ts';
import type { AddressSet } from '../../parsing/ip-address.ts';
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
import { type DatedKey, readPublishedKeys, readPublishedRanges } from './read-published-document.ts';

/** The published documents of assistants, refreshed in the background. Only followed URLs are fetched, and never because of a caller. */
export type PublishedDocuments = {
  /** Follows these documents and no others. Copies of others stay, because the list may not be certain yet. */
  follow(wanted: readonly PublishedAddress[]): void;
  /** Removes the copies of all documents that are not followed. */
  forgetOthers(): void;
  /** Null without a copy that is recent enough. */
  ranges(url: string): AddressSet | null;
  keys(url: string): readonly DatedKey[] | null;
  /** Called after a result of `ranges` or `keys` has changed. */
  onChange(listener: () => void): void;
  status(): readonly DocumentStatus[];
  stop(): void;
};

export function createPublishedDocuments(surroundings: FollowSurroundings): PublishedDocuments {
  const ranges = new Map<string, FollowedDocument<AddressSet>>();
  const keys = new Map<string, FollowedDocument<readonly DatedKey[]>>();
  const listeners: (() => void)[] = [];

  function notify(): void {
    for (const listener of listeners) listener();
  }

  function follow(wanted: readonly PublishedAddress[]): void {
    adjust(ranges, urlsOf(wanted, 'ranges'), (url) =>
      followDocument(surroundings, { kind: 'ranges', url }, readPublishedRanges, notify),
    );
    adjust(keys, urlsOf(wanted, 'keys'), (url) =>
      followDocument(surroundings, { kind: 'keys', url }, readPublishedKeys, notify),
    );
  }

  function statuses(): readonly DocumentStatus[] {
    return [...ranges.values(), ...keys.values()].map((document) => document.status());
  }

  return {
    follow,
    forgetOthers: () => surroundings.copies.keepOnly(statuses()),
    ranges: (url) => ranges.get(url)?.content() ?? null,
    keys: (url) => keys.get(url)?.content() ?? null,
    onChange: (listener) => void listeners.push(listener),
    status: statuses,
    stop: () => follow([]),
  };
}

function adjust<Content>(
  followed: Map<string, FollowedDocument<Content>>,
  wanted: ReadonlySet<string>,
  begin: (url: string) => FollowedDocument<Content>,
): void {
  for (const [url, document] of followed) {
    if (wanted.has(url)) continue;
    document.stop();
    followed.delete(url);
  }
  for (const url of wanted) if (!followed.has(url)) followed.set(url, begin(url));
}

function urlsOf(wanted: readonly PublishedAddress[], kind: PublishedAddress['kind']): ReadonlySet<string> {
  return new Set(wanted.filter((address) => address.kind === kind).map(({ url }) => url));
}

/** A published document that is fetched periodically. Its server cannot affect other documents. */
type FollowedDocument<Content> = {
  /** Null without a copy that is recent enough. */
  content(): Content | null;
  status(): DocumentStatus;
  stop(): void;
};

export type DocumentStatus = PublishedAddress & {
  /** The source of the content; null without content. */
  readonly source: 'fetch' | 'copy' | null;
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

type FollowSurroundings = {
  readonly fetchDocument: FetchDocument;
  readonly clock: Clock;
  readonly random: Random;
  readonly copies: PublishedCopies;
  /** The age at which a copy expires. */
  readonly maxAgeMs: number;
  readonly observe: PublishedObserver;
};

type Held<Content> = PublishedContent<Content> & {
  readonly source: 'fetch' | 'copy';
  readonly confirmedAt: number;
  /** The same moment on the monotonic clock, which may be long before the start. */
  readonly confirmedElapsed: number;
  /** The expiry, on the monotonic clock. */
  readonly usedUntil: number;
  readonly etag: string | null;
};

/** A document is confirmed every few minutes, but its age counts in days, so confirmations are written rarely. */
const WRITE_CONFIRMATION_MS = 60 * 60_000;
/** Timers of Node.js wait at most 24 days. */
const MAX_TIMER_MS = 24 * 60 * 60_000;
const UNREADABLE = 'unreadable';

function followDocument<Content>(
  { fetchDocument, clock, random, copies, maxAgeMs, observe }: FollowSurroundings,
  address: PublishedAddress,
  read: (text: string) => Reading<PublishedContent<Content>>,
  /** Called after `content` has changed. */
  onChange: () => void,
): FollowedDocument<Content> {
  const ended = new AbortController();
  let held = fromCopy(copies.read(address));
  let written = held && { at: held.confirmedElapsed, text: held.text };
  let isExpiryReported = false;
  let failuresInARow = 0;
  let lastFailure: DocumentStatus['lastFailure'] = null;
  let stopNextFetch = () => {};
  let stopAgeing = () => {};

  const isUsed = () => held !== null && clock.elapsed() < held.usedUntil;

  function ageOf({ confirmedElapsed }: Held<Content>): number {
    return Math.max(0, clock.elapsed() - confirmedElapsed);
  }

  function fromCopy(copy: PublishedCopy | null): Held<Content> | null {
    if (!copy) return null;
    const reading = read(copy.text);
    if (reading.kind === 'invalid') return null;
    // A copy from the future was written before the clock was corrected. Its age is unknown, so it begins
    // now.
    const ageMs = Math.max(0, clock.now() - copy.confirmedAt);
    const confirmedElapsed = clock.elapsed() - ageMs;
    return {
      ...reading.value,
      source: 'copy',
      confirmedAt: copy.confirmedAt,
      confirmedElapsed,
      usedUntil: confirmedElapsed + maxAgeMs,
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
    held && isUsed() ? Math.max(0, pauseAfterSuccess(address.kind, random) - ageOf(held)) : 0;
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
