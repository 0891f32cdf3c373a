import type { PublishedObserver } from '../access/published/published-observer.ts';

/** A list that is too old is an assistant that is not recognised any more: that belongs beside what the owner has changed. */
export function withTurnedListsRecorded(
  observe: PublishedObserver,
  listTurned: (list: string, state: 'on' | 'off') => void,
): PublishedObserver {
  const off = new Set<string>();
  return {
    ...observe,
    tooOld(address, ageMs) {
      off.add(address.url);
      listTurned(withoutQuery(address.url), 'off');
      observe.tooOld(address, ageMs);
    },
    fetched(address, facts) {
      if (off.delete(address.url)) listTurned(withoutQuery(address.url), 'on');
      observe.fetched(address, facts);
    },
  };
}

/** Which may hold a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
