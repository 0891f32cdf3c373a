import { LRUCache } from 'lru-cache';
import type { AssistantId, Session, SessionId } from '../sessions/session.ts';

/** More than travellers of one assistant wish for in an hour. Whoever tries all places and months adds no more rows to the counts. */
export const MAX_WISHES_AN_HOUR = 2000;

type CountedWish = {
  readonly brand: string;
  readonly place: string;
  readonly month: string;
  readonly reason: string;
};

/** Different wishes that each assistant has brought since the hour began. It keeps as many lists as assistants are approved. */
type WishesOfTheHour = {
  /** Empty, which is unknown, beyond what an assistant may bring: the wish counts all the same. What one has used up is nobody else's. */
  countedMonth(assistant: AssistantId, wish: CountedWish, hour: number): string;
};

export function createWishesOfTheHour(): WishesOfTheHour {
  let thisHour = 0;
  const heard = new Map<AssistantId, Set<string>>();

  return {
    countedMonth(assistant, { brand, place, month, reason }, hour) {
      if (hour !== thisHour) heard.clear();
      thisHour = hour;
      const known = heard.get(assistant) ?? new Set<string>();
      heard.set(assistant, known);
      const key = [brand, place, month, reason].join('\n');
      if (known.has(key)) return month;
      if (known.size >= MAX_WISHES_AN_HOUR) return '';
      known.add(key);
      return month;
    },
  };
}

/** More missing places than an owner would ever review. Names that callers invent add twice as many rows at most. */
export const MAX_NAMES_A_DAY = 200;
const MAX_OTHER_NAMES = 5000;
const HOURS_A_DAY = 24;

type MissingName = { readonly brand: string; readonly name: string; readonly hour: number };

/**
 * Names of missing places that each assistant has asked for since the UTC day began: one list for each approved assistant. A name is counted
 * under the hour in which it came first, so that it is one row a day, and has no name beyond the limit; unless a second session asks for it:
 * then it displaces one that a single session asked for. It is called once for each name that a session asks for and that is counted.
 */
export function createNamesOfTheDay() {
  let today = 0;
  const heard = new Map<AssistantId, ReturnType<typeof noNames>>();

  return ({ id, assistant }: Session, { brand, name, hour }: MissingName): Omit<MissingName, 'brand'> => {
    const day = Math.floor(hour / HOURS_A_DAY);
    if (day !== today) heard.clear();
    today = day;
    const names = heard.get(assistant) ?? noNames();
    heard.set(assistant, names);
    const { firstHours, repeated, others } = names;
    const key = `${brand}\n${name}`;
    const known = firstHours.get(key);
    if (known === undefined && firstHours.size >= MAX_NAMES_A_DAY) {
      const askedFirst = others.get(key) ?? id;
      const single = askedFirst !== id && firstHours.keys().find((one) => !repeated.has(one));
      others.set(key, askedFirst);
      if (!single) return { name: '', hour };
      firstHours.delete(single);
      repeated.add(key);
    }
    if (known === undefined) firstHours.set(key, hour);
    else repeated.add(key);
    return { name, hour: known ?? hour };
  };
}

/** `others` has the session that asked first for a name beyond the limit. */
function noNames() {
  return {
    firstHours: new Map<string, number>(),
    repeated: new Set<string>(),
    others: new LRUCache<string, SessionId>({ max: MAX_OTHER_NAMES }),
  };
}
