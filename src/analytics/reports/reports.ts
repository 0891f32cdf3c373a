import type { Report, ReportRange } from './report.ts';

export const REPORT_IDS = ['today', 'demand', 'operators', 'assistants', 'outcomes'] as const;
export type ReportId = (typeof REPORT_IDS)[number];

/** Makes a report of what was counted. With a brand in the range, only of its part: what may be handed to its operator. */
export type MakeReport = (id: ReportId, range: ReportRange) => Promise<Report>;
