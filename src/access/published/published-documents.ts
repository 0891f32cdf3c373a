import type { AddressSet } from '../../reading/address.ts';
import type { PublicKey } from '../access-list.ts';
import type { RangesSnapshot } from '../registry/well-known-assistant.ts';
import {
  type DocumentStatus,
  type FollowedDocument,
  type FollowSurroundings,
  followDocument,
} from './followed-document.ts';
import { keysOnTime } from './keys-on-time.ts';
import type { PublishedCopy } from './published-copies.ts';
import type { PublishedAddress } from './published-document.ts';
import type { UsedSnapshot } from './published-observer.ts';
import { readPublishedKeys } from './read-published-keys.ts';
import { readPublishedRanges } from './read-published-ranges.ts';

/** What assistants publish, kept fresh in the background. Only addresses that are followed are ever fetched, never because of a caller. */
export type PublishedDocuments = {
  /** These and no others. Copies of others stay, because whoever asks may not know yet what is wanted. */
  follow(wanted: readonly PublishedAddress[]): void;
  /** Removes the copies of all documents that are not followed. */
  forgetOthers(): void;
  /** Null when there is no copy, or only one that is too old. */
  ranges(url: string): AddressSet | null;
  keys(url: string): readonly PublicKey[] | null;
  /** Called after anything that `ranges` and `keys` give has become another. */
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

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function followRanges(url: string): FollowedDocument<AddressSet> {
    return followDocument({
      ...surroundings,
      address: { kind: 'ranges', url },
      read: readPublishedRanges,
      snapshot: snapshotOf(snapshots, url),
      onChange: tell,
    });
  }

  function followKeys(url: string): FollowedDocument<readonly PublicKey[]> {
    return keysOnTime({
      clock,
      onChange: tell,
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

/** Gives those that are new. */
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
