import { type AddressSet, addressSetOf } from '../parsing/ip-address.ts';
import type { AccessList } from './access-list.ts';
import type { PublishedAddress } from './published/published-document.ts';
import type { PublishedDocuments } from './published/published-documents.ts';
import type { Assistant, AssistantRegistry, Recognition } from './registry/assistant-registry.ts';

export type AccessKeeper = {
  /** The list that is in force now: the same object until something in it changes. */
  list(): AccessList;
  /** The registry has changed, and this is what its source says. */
  use(registry: AssistantRegistry): void;
};

const NOWHERE: AddressSet = addressSetOf([]);

/**
 * Joins the registry with what its assistants have published: their ranges, and the keys of their signatures. Copies that no assistant
 * needs any more are removed, but only once it is certain who is registered: a start that does not know it would remove them all.
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

/** Also those of suspended assistants: they are refused because they are recognised. */
function documentsOf({ assistants }: AssistantRegistry): readonly PublishedAddress[] {
  const wanted = new Map<string, PublishedAddress>();
  for (const way of assistants.flatMap(({ recognisedBy }) => recognisedBy)) {
    if (way.kind === 'signature') wanted.set(`keys ${way.keysUrl}`, { kind: 'keys', url: way.keysUrl });
    if (way.kind === 'published_ranges') wanted.set(`ranges ${way.url}`, { kind: 'ranges', url: way.url });
  }
  return [...wanted.values()];
}
