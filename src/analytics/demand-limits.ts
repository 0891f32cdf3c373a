import { LRUCache } from 'lru-cache';
import type { AssistantId, Session, SessionId } from '../sessions/session.ts';

/**
 * More than the travellers of one assistant ask for in an hour. A caller that tries all places and months adds no more rows to the counts.
 */
export const MAX_DEMANDS_AN_HOUR = 2000;

type CountedDemand = {
  readonly brand: string;
  readonly place: string;
  readonly month: string;
  readonly reason: string;
};

/**
 * The month by which a demand is counted: empty (unknown) beyond the limit of its assistant for distinct demands in an hour. The demand
 * counts all the same.
 */
export function createHourlyDemand(): (
  assistant: AssistantId,
  demand: CountedDemand,
  hour: number,
) => string {
  let thisHour = 0;
  const demands = new Map<AssistantId, Set<string>>();

  return (assistant, { brand, place, month, reason }, hour) => {
    if (hour !== thisHour) demands.clear();
    thisHour = hour;
    const known = demands.get(assistant) ?? new Set<string>();
    demands.set(assistant, known);
    const key = [brand, place, month, reason].join('\n');
    if (known.size >= MAX_DEMANDS_AN_HOUR && !known.has(key)) return '';
    known.add(key);
    return month;
  };
}

/** More missing places than an owner would ever review. Names that callers invent add twice as many rows at most. */
export const MAX_NAMES_A_DAY = 200;
const MAX_OTHER_NAMES = 5000;
const HOURS_A_DAY = 24;

type MissingName = { readonly brand: string; readonly name: string; readonly hour: number };

/**
 * The names of missing places of each assistant since the UTC day began: one list for each approved assistant. A name is counted in the
 * hour in which it came first, so that it is one row a day. Beyond the limit it is counted without its name, until a second session asks
 * for it: then it displaces a name that only one session asked for. Called once for each counted name of a session.
 */
export function createDailyNames() {
  let today = 0;
  const namesByAssistant = new Map<AssistantId, ReturnType<typeof noNames>>();

  return ({ id, assistant }: Session, { brand, name, hour }: MissingName): Omit<MissingName, 'brand'> => {
    const day = Math.floor(hour / HOURS_A_DAY);
    if (day !== today) namesByAssistant.clear();
    today = day;
    const names = namesByAssistant.get(assistant) ?? noNames();
    namesByAssistant.set(assistant, names);
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

/** `others` maps a name beyond the limit to the session that asked for it first. */
function noNames() {
  return {
    firstHours: new Map<string, number>(),
    repeated: new Set<string>(),
    others: new LRUCache<string, SessionId>({ max: MAX_OTHER_NAMES }),
  };
}
