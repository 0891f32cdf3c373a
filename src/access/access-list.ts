import type { Clock } from '../clock.ts';
import { type AddressSet, addressSetOf } from '../parsing/ip-address.ts';
import type { PublishedAddress } from './published/published-document.ts';
import type { PublishedDocuments } from './published/published-documents.ts';
import type { DatedKey } from './published/read-published-document.ts';
import type { Assistant, AssistantRegistry, Recognition } from './registry/assistant-registry.ts';
import type { PublicKey } from './signatures/keys.ts';

/**
 * The data by which the gate decides: the registered assistants with their published ranges, and their keys. Immutable: a change replaces the whole list.
 */
export type AccessList = {
  readonly assistants: readonly Assistant[];
  readonly keys: readonly KeysAtAddress[];
};

/** The keys at one URL. Keys are looked up by URL and thumbprint together, never by the thumbprint alone. */
type KeysAtAddress = {
  /** The full URL from which they were fetched. */
  readonly url: string;
  readonly keys: readonly DatedKey[];
};

/** Looks up the keys of the current list that are valid now, by the URL at which they are published. */
export function createKeysAt(
  accessList: () => AccessList,
  clock: Pick<Clock, 'now'>,
): (url: string) => readonly PublicKey[] | undefined {
  return (url) => {
    const seconds = clock.now() / 1000;
    return accessList()
      .keys.find((document) => document.url === url)
      ?.keys.filter(
        ({ notBefore, notAfter }) => (notBefore ?? 0) <= seconds && seconds < (notAfter ?? Infinity),
      )
      .map(({ key }) => key);
  };
}

type AccessKeeper = {
  /** The current list: the same object until its contents change. */
  list(): AccessList;
  /** Applies a registry that was read from its source. */
  use(registry: AssistantRegistry): void;
};

const NOWHERE: AddressSet = addressSetOf([]);

/**
 * Joins the registry with the ranges and signature keys that its assistants publish. Removes copies that no assistant needs any more, but
 * only once the registry is certain: a start without it would remove them all.
 */
export function createAccessKeeper(
  registry: AssistantRegistry,
  published: Pick<PublishedDocuments, 'follow' | 'forgetOthers' | 'ranges' | 'keys' | 'onChange'>,
  { isCertain }: { readonly isCertain: boolean },
): AccessKeeper {
  let current = registry;
  let list: AccessList;
  follow(registry);
  if (isCertain) published.forgetOthers();
  published.onChange(join);

  return {
    list: () => list,
    use(latest) {
      follow(latest);
      published.forgetOthers();
    },
  };

  function follow(latest: AssistantRegistry): void {
    current = latest;
    published.follow(documentsOf(latest));
    join();
  }

  function join(): void {
    list = {
      assistants: current.assistants.map(withPublishedRanges),
      keys: documentsOf(current).flatMap(({ kind, url }) => {
        const keys = kind === 'keys' ? published.keys(url) : null;
        return keys ? [{ url, keys }] : [];
      }),
    };
  }

  function withPublishedRanges(assistant: Assistant): Assistant {
    return { ...assistant, recognisedBy: assistant.recognisedBy.map(inForceNow) };
  }

  function inForceNow(way: Recognition): Recognition {
    if (way.kind !== 'published_ranges') return way;
    return { kind: 'ranges', userAgent: way.userAgent, ranges: published.ranges(way.url) ?? NOWHERE };
  }
}

/** Includes those of suspended assistants, which must be recognised to be refused. */
function documentsOf({ assistants }: AssistantRegistry): readonly PublishedAddress[] {
  const wanted = new Map<string, PublishedAddress>();
  for (const way of assistants.flatMap(({ recognisedBy }) => recognisedBy)) {
    if (way.kind === 'signature') wanted.set(`keys ${way.keysUrl}`, { kind: 'keys', url: way.keysUrl });
    if (way.kind === 'published_ranges') wanted.set(`ranges ${way.url}`, { kind: 'ranges', url: way.url });
  }
  return [...wanted.values()];
}
