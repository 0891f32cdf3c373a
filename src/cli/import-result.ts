import { describeImportFault, type ImportFault } from '../imports/import-report.ts';
import type { ImportSummary } from '../imports/import-summary.ts';
import { numberOfUnmapped } from '../operators/listings/unmapped-amenities.ts';
import { HELD_BACK_RULES } from '../quotes/held-back-rules.ts';
import { counted } from './counted.ts';
import { paragraph } from './table.ts';
import type { Terminal } from './terminal.ts';

const MAX_FAULTS_SHOWN = 20;

/** What the entries of calendars are, and what is held back. */
export type ImportUnits = { readonly calendar: 'night' | 'period'; readonly line: 'row' | 'line' };

/** `421 homes and 421 calendars with 153,665 nights in 0.7 s` */
export function importedText(
  { properties, calendars, calendarRows, milliseconds }: ImportSummary,
  { calendar }: ImportUnits,
): string {
  return `${counted(properties, 'home')} and ${counted(calendars, 'calendar')} with ${counted(calendarRows, calendar)} in ${(milliseconds / 1000).toFixed(1)} s`;
}

export function importedJson(summary: ImportSummary, units: ImportUnits) {
  return {
    properties: summary.properties,
    calendars: summary.calendars,
    [`calendar_${units.calendar}s`]: summary.calendarRows,
    milliseconds: summary.milliseconds,
    held_back: summary.heldBack.map((fault) => ({ ...fault, remedy: HELD_BACK_RULES[fault.rule].remedy })),
    held_back_counts: summary.heldBackCounts,
    unmapped_amenities: summary.unmappedAmenities,
  };
}

/** What was held back, and what is not shown of the rest. */
export function notImportedLines(
  { heldBack, heldBackCounts, unmappedAmenities }: ImportSummary,
  { line }: ImportUnits,
  { styled }: Pick<Terminal, 'styled'>,
): readonly string[] {
  const all = Object.values(heldBackCounts).reduce((sum, count) => sum + (count ?? 0), 0);
  const shown = heldBack.slice(0, MAX_FAULTS_SHOWN);
  const faultLines = (fault: ImportFault) => [
    `  ${paragraph(describeImportFault(fault), '    ')}`,
    `    ${styled('faint', paragraph(`→ ${HELD_BACK_RULES[fault.rule].remedy}`, '      '))}`,
  ];
  return [
    all === 0 ? `No ${line} was held back.` : `Held back: ${counted(all, line)}`,
    ...shown.flatMap(faultLines),
    ...(all > shown.length ? [`  … and ${all - shown.length} more; --json lists the first thousand`] : []),
    `Words for amenities that are not in the vocabulary, and are not shown: ${numberOfUnmapped(unmappedAmenities)}.`,
  ];
}
