import type { AssistantId } from '../sessions/session.ts';

/** More missing places than an owner would ever review. Whoever invents names adds no more rows than this. */
export const MAX_NAMES_A_DAY = 200;
const HOURS_A_DAY = 24;

export type MissingName = { readonly brand: string; readonly name: string; readonly hour: number };

/** Names of missing places that each assistant has asked for since the UTC day began: one list for each approved assistant. */
export type NamesOfTheDay = {
  /**
   * The name and hour to count it under: the hour in which the assistant first asked for it that day, so that a name is one row a day, and no
   * name beyond the limit. Each assistant has a limit of its own.
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
