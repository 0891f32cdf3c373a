import type { Clock } from '../../clock.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { Random } from '../../random.ts';
import type { PublishedCopies, PublishedCopy } from './published-copies.ts';
import {
  type PublishedAddress,
  type PublishedContent,
  type PublishedKind,
  textOf,
} from './published-document.ts';
import type { PublishedObserver } from './published-observer.ts';

/** One published document, fetched again and again on its own: nothing that its server does reaches another document. */
export type FollowedDocument<Content> = {
  /** Null when there is no copy, or only one that is too old. */
  content(): Content | null;
  status(): DocumentStatus;
  stop(): void;
};

export type DocumentStatus = PublishedAddress & {
  /** Where what is held came from; null when nothing is. */
  readonly source: 'fetch' | 'copy' | 'snapshot' | null;
  /** When its publisher last said so, in epoch milliseconds. */
  readonly confirmedAt: number | null;
  readonly ageMs: number | null;
  /** Also when nothing is held. */
  readonly isTooOld: boolean;
  readonly count: number;
  readonly dropped: number;
  /** Since the last fetch that worked. */
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
  /** From this age on, a copy is not used any more. */
  readonly maxAgeMs: number;
  readonly observe: PublishedObserver;
};

type Held<Content> = PublishedContent<Content> & {
  readonly source: 'fetch' | 'copy' | 'snapshot';
  readonly confirmedAt: number;
  /** The same moment on the clock that nobody can step, which may be long before the start. */
  readonly confirmedElapsed: number;
  /** On the same clock. */
  readonly usedUntil: number;
  readonly etag: string | null;
};

/** A document that is confirmed every few minutes need not be written as often: its age counts in days. */
const WRITE_CONFIRMATION_MS = 60 * 60_000;
/** However long the owner lets copies be used: of a list of last year nobody knows who has its networks now. */
const MAX_SNAPSHOT_AGE_MS = 365 * 24 * 60 * 60_000;
/** No timer of Node's waits longer than 24 days. */
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
  /** What was shipped with the service. */
  readonly snapshot: PublishedCopy | null;
  /** Called after `content` has become another. */
  readonly onChange: () => void;
}): FollowedDocument<Content> {
  const ended = new AbortController();
  let held = newest([fromCopy(copies.read(address), 'copy'), fromCopy(snapshot, 'snapshot')]);
  let written = held?.source === 'copy' ? { at: held.confirmedElapsed, text: held.text } : null;
  let isToldTooOld = false;
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
    // A copy from the future was written before the clock was corrected: how old it is nobody knows, so its age begins now.
    const ageMs = Math.max(0, clock.now() - copy.confirmedAt);
    const confirmedElapsed = clock.elapsed() - ageMs;
    // A snapshot is older than any release that ships it, so its days count from when its publisher is first asked.
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
      // Asked for whole after each start: this release may understand more of it than the one that kept it.
      etag: null,
    };
  }

  /** Tells when what is held becomes too old. */
  function age(): void {
    stopAgeing();
    if (!held) return;
    const leftMs = held.usedUntil - clock.elapsed();
    if (leftMs <= 0) return;
    stopAgeing = clock.after(Math.min(leftMs, MAX_TIMER_MS), () => {
      if (isUsed()) return age();
      tellTooOld();
      onChange();
    });
  }

  function tellTooOld(): void {
    if (!held || isToldTooOld) return;
    isToldTooOld = true;
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
    isToldTooOld = false;
    age();
    // By the text, which also says until when each key holds: what is withdrawn must not come back with a restart.
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

  /** What is held stays, until it is too old: a server that is down says nothing about its keys or networks. */
  function fail(failure: string, detail: string, retryAfterMs: number | null): number | null {
    failuresInARow += 1;
    lastFailure = { at: clock.now(), failure, detail };
    const used = held && isUsed() ? { source: held.source, ageMs: ageOf(held) } : null;
    observe.failed(address, { failure, detail, used });
    if (!used) tellTooOld();
    return retryAfterMs;
  }

  /** A fault of ours must not end the following of a document. */
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

/** A key that was withdrawn must not be believed for long; networks change rarely. */
const REFRESH_MS: Readonly<Record<PublishedKind, number>> = { keys: 5 * 60_000, ranges: 60 * 60_000 };
const FIRST_RETRY_MS = 15_000;
/** However long a server asks to be left alone. */
const MAX_PAUSE_MS = 60 * 60_000;

/** The pause after a fetch that worked, ± 10 %, so that nodes and documents do not ask at the same moment. */
function pauseAfterSuccess(kind: PublishedKind, random: Random): number {
  return REFRESH_MS[kind] * (0.9 + 0.2 * fractionOf(random));
}

/** Twice as long after each failure, up to the usual pause, and at least as long as the server asks for. */
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
 * The way to a published document: one request, answered within a deadline of its own, whatever the server does. Never follows a redirect,
 * and never goes where the owner's own machines are unless the owner says so.
 */
export type FetchDocument = (url: string, options: FetchOptions) => Promise<FetchedDocument>;

export type FetchOptions = {
  readonly kind: PublishedKind;
  /** Of the copy that is held, so that an unchanged document need not be sent again. */
  readonly etag: string | null;
  readonly signal: AbortSignal;
};

export type FetchedDocument =
  | { readonly kind: 'document'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      /** One of a few words, by which failures are counted. */
      readonly failure: string;
      /** For people. */
      readonly detail: string;
      /** How long the server asks to be left alone. */
      readonly retryAfterMs: number | null;
    };
