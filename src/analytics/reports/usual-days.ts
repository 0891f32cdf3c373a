import type { ReportId } from './reports.ts';

/** How many days a report shows when nobody chooses: the same in the console and on the command line. */
export function usualDays(id: ReportId): 1 | 7 {
  return id === 'today' ? 1 : 7;
}
