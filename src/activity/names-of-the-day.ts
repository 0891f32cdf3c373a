import type { AssistantId } from '../sessions/session.ts';

/** More than a network misses that is worth looking at. Whoever invents names adds no more rows to the counts. */
export const MAX_NAMES_A_DAY = 200;
const HOURS_A_DAY = 24;

export type MissingName = { readonly brand: string; readonly name: string; readonly hour: number };

/** Names of missing places that each assistant has brought since the day began, in UTC. It keeps as many lists as assistants are approved. */
export type NamesOfTheDay = {
  /**
   * As it is counted: in the hour of that day in which the assistant brought it first, so that it is one row a day, and without a name beyond
   * what an assistant may bring. What one has used up is nobody else's.
   */
  counted(assistant: AssistantId, missing: MissingName): Omit<MissingName, 'brand'>;
};

export function createNamesOfTheDay(): NamesOfTheDay {
  let today = 0;
  const heard = new Map<AssistantId, Map<string, number>>();

  return {
    counted(assistant, { brand, name, hour }) {
      const day = Math.floor(hour / HOURS_A_DAY);
      if (day !== today) heard.clear();
      today = day;
      const firstHours = heard.get(assistant) ?? new Map<string, number>();
      heard.set(assistant, firstHours);
      const key = `${brand}\n${name}`;
      const known = firstHours.get(key);
      if (known !== undefined) return { name, hour: known };
      if (firstHours.size >= MAX_NAMES_A_DAY) return { name: '', hour };
      firstHours.set(key, hour);
      return { name, hour };
    },
  };
}
