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
import { readPublishedKeys } from './read-published-keys.ts';
import { readPublishedRanges } from './read-published-ranges.ts';

/** What assistants publish, kept fresh in the background. Only addresses that are followed are ever fetched, never because of a caller. */
export type PublishedDocuments = {
  /** These and no others: what is not among them is forgotten. */
  follow(wanted: readonly PublishedAddress[]): void;
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

  return {
    follow(wanted) {
      copies.keepOnly(wanted);
      adjust(ranges, urlsOf(wanted, 'ranges'), followRanges);
      adjust(keys, urlsOf(wanted, 'keys'), followKeys);
    },
    ranges: (url) => ranges.get(url)?.content() ?? null,
    keys: (url) => keys.get(url)?.content() ?? null,
    onChange: (listener) => void listeners.push(listener),
    status: () => [...ranges.values(), ...keys.values()].map((document) => document.status()),
    stop() {
      adjust(ranges, new Set(), followRanges);
      adjust(keys, new Set(), followKeys);
    },
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
  for (const url of wanted) {
    if (!followed.has(url)) followed.set(url, begin(url));
  }
}

function urlsOf(wanted: readonly PublishedAddress[], kind: PublishedAddress['kind']): ReadonlySet<string> {
  return new Set(wanted.filter((address) => address.kind === kind).map(({ url }) => url));
}

function snapshotOf(snapshots: readonly RangesSnapshot[], url: string): PublishedCopy | null {
  const snapshot = snapshots.find((one) => one.url === url);
  if (!snapshot) return null;
  return { confirmedAt: Date.parse(snapshot.takenAt), text: JSON.stringify(snapshot.cidrs) };
}
