import type { Clock } from '../../clock.ts';
import type { AddressSet } from '../../parsing/ip-address.ts';
import type { RangesSnapshot } from '../registry/registry-file.ts';
import type { PublicKey } from '../signatures/keys.ts';
import {
  type DocumentStatus,
  type FollowedDocument,
  type FollowSurroundings,
  followDocument,
} from './followed-document.ts';
import type { PublishedAddress, PublishedCopy, UsedSnapshot } from './published-document.ts';
import { type DatedKey, readPublishedKeys, readPublishedRanges } from './read-published-document.ts';

/** The published documents of assistants, refreshed in the background. Only followed URLs are fetched, and never because of a caller. */
export type PublishedDocuments = {
  /** Follows these documents and no others. Copies of others stay, because the list may not be certain yet. */
  follow(wanted: readonly PublishedAddress[]): void;
  /** Removes the copies of all documents that are not followed. */
  forgetOthers(): void;
  /** Null without a copy that is recent enough. */
  ranges(url: string): AddressSet | null;
  keys(url: string): readonly PublicKey[] | null;
  /** Called after a result of `ranges` or `keys` has changed. */
  onChange(listener: () => void): void;
  status(): readonly DocumentStatus[];
  stop(): void;
};

export function createPublishedDocuments({
  snapshots,
  ...surroundings
}: FollowSurroundings & { readonly snapshots: readonly RangesSnapshot[] }): PublishedDocuments {
  const { clock, copies } = surroundings;
  const ranges = new Map<string, FollowedDocument<AddressSet>>();
  const keys = new Map<string, FollowedDocument<readonly PublicKey[]>>();
  const listeners: (() => void)[] = [];

  function notify(): void {
    for (const listener of listeners) listener();
  }

  function followRanges(url: string): FollowedDocument<AddressSet> {
    return followDocument({
      ...surroundings,
      address: { kind: 'ranges', url },
      read: readPublishedRanges,
      snapshot: snapshotOf(snapshots, url),
      onChange: notify,
    });
  }

  function followKeys(url: string): FollowedDocument<readonly PublicKey[]> {
    return keysOnTime({
      clock,
      onChange: notify,
      follow: (onChange) =>
        followDocument({
          ...surroundings,
          address: { kind: 'keys', url },
          read: readPublishedKeys,
          snapshot: null,
          onChange,
        }),
    });
  }

  function statuses(): readonly DocumentStatus[] {
    return [...ranges.values(), ...keys.values()].map((document) => document.status());
  }

  return {
    follow(wanted) {
      const begun = adjust(ranges, urlsOf(wanted, 'ranges'), followRanges);
      adjust(keys, urlsOf(wanted, 'keys'), followKeys);
      const shipped = begun.flatMap(usedSnapshot);
      if (shipped.length > 0) surroundings.observe.snapshotsUsed(shipped);
    },
    forgetOthers: () => copies.keepOnly(statuses()),
    ranges: (url) => ranges.get(url)?.content() ?? null,
    keys: (url) => keys.get(url)?.content() ?? null,
    onChange: (listener) => void listeners.push(listener),
    status: statuses,
    stop() {
      adjust(ranges, new Set(), followRanges);
      adjust(keys, new Set(), followKeys);
    },
  };
}

/** Returns the documents that are newly followed. */
function adjust<Content>(
  followed: Map<string, FollowedDocument<Content>>,
  wanted: ReadonlySet<string>,
  begin: (url: string) => FollowedDocument<Content>,
): readonly FollowedDocument<Content>[] {
  for (const [url, document] of followed) {
    if (wanted.has(url)) continue;
    document.stop();
    followed.delete(url);
  }
  const begun: FollowedDocument<Content>[] = [];
  for (const url of wanted) {
    if (followed.has(url)) continue;
    const document = begin(url);
    followed.set(url, document);
    begun.push(document);
  }
  return begun;
}

function usedSnapshot(document: FollowedDocument<unknown>): readonly UsedSnapshot[] {
  const { kind, url, source, ageMs, isTooOld } = document.status();
  return source === 'snapshot' && ageMs !== null && !isTooOld ? [{ address: { kind, url }, ageMs }] : [];
}

function urlsOf(wanted: readonly PublishedAddress[], kind: PublishedAddress['kind']): ReadonlySet<string> {
  return new Set(wanted.filter((address) => address.kind === kind).map(({ url }) => url));
}

function snapshotOf(snapshots: readonly RangesSnapshot[], url: string): PublishedCopy | null {
  const snapshot = snapshots.find((one) => one.url === url);
  if (!snapshot) return null;
  return { confirmedAt: Date.parse(snapshot.takenAt), text: JSON.stringify(snapshot.cidrs) };
}

/** The wall clock can be stepped, so the validity of keys is checked again periodically. */
const MAX_WAIT_MS = 60_000;

/**
 * The currently valid keys of a document. They change with the document and with time: each is valid from its `nbf` until its `exp`. A
 * publisher that extends `exp` with every answer changes nothing.
 */
function keysOnTime({
  clock,
  follow,
  onChange,
}: {
  readonly clock: Clock;
  readonly follow: (onChange: () => void) => FollowedDocument<readonly DatedKey[]>;
  /** Called after the valid keys have changed. */
  readonly onChange: () => void;
}): FollowedDocument<readonly PublicKey[]> {
  let stopTimer = () => {};
  const document = follow(lookAgain);
  let shown = JSON.stringify(content());

  function content(): readonly PublicKey[] | null {
    const keys = document.content();
    return keys === null ? null : keys.filter(holds).map(({ key }) => key);
  }

  function holds({ notBefore, notAfter }: DatedKey): boolean {
    const seconds = clock.now() / 1000;
    return (notBefore === null || notBefore <= seconds) && (notAfter === null || seconds < notAfter);
  }

  function lookAgain(): void {
    waitForNextMoment();
    const current = JSON.stringify(content());
    if (current === shown) return;
    shown = current;
    onChange();
  }

  function waitForNextMoment(): void {
    stopTimer();
    const now = clock.now();
    const waits = (document.content() ?? [])
      .flatMap(({ notBefore, notAfter }) => [notBefore, notAfter])
      .flatMap((seconds) => (seconds === null ? [] : [Math.ceil(seconds * 1000 - now)]));
    if (waits.length === 0) return;
    const next = Math.min(MAX_WAIT_MS, ...waits.filter((wait) => wait > 0));
    stopTimer = clock.after(next, lookAgain);
  }

  waitForNextMoment();
  return {
    content,
    status: document.status,
    stop() {
      stopTimer();
      document.stop();
    },
  };
}
