import type { AssistantId } from '../sessions/session.ts';

/** More than travellers of one assistant wish for in an hour. Whoever tries all places and months adds no more rows to the counts. */
export const MAX_WISHES_AN_HOUR = 2000;

export type CountedWish = {
  readonly brand: string;
  readonly place: string;
  readonly month: string;
  readonly reason: string;
};

/** Different wishes that each assistant has brought since the hour began. It keeps as many lists as assistants are approved. */
export type WishesOfTheHour = {
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
