import type { ComparisonBody } from '../../client/client.ts';
import { dayText } from '../../stay/date-text.ts';
import { parseDay } from '../../stay/day.ts';
import { counted } from '../counted.ts';
import { paragraph } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { comparisonTable } from './comparison-table.ts';
import { oneLine } from './option-facts.ts';

/** What was searched, the table, and what is missing in it. */
export function comparisonText(
  body: ComparisonBody,
  /** What people call its destination. */
  place: string,
  terminal: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const { styled } = terminal;
  const lost = unansweredBrands(body);
  return [
    styled('strong', paragraph(queryText(body, place))),
    paragraph(countText(body)),
    ...(body.results.length > 0
      ? ['', comparisonTable(body.results, terminal)]
      : ['', paragraph(oneLine(body.notes))]),
    ...(lost.length > 0
      ? ['', ...lost.map((text) => paragraph(`${styled('warning', '!')} ${text}`, '  '))]
      : []),
  ].join('\n');
}

/** The words of operators for the amenities; a key that none of them has is shown as it is. */
export function amenityLabel(amenity: string, { results }: Pick<ComparisonBody, 'results'>): string {
  const having = results.find(({ amenities }) => amenities !== null && Object.hasOwn(amenities, amenity));
  return oneLine(having?.amenities?.[amenity] ?? amenity.replaceAll('_', ' '));
}

/** `No answer from Driftlark for 2 homes.` */
export function unansweredBrands({
  comparison_set: { coverage },
}: Pick<ComparisonBody, 'comparison_set'>): readonly string[] {
  return coverage
    .filter(({ failed }) => failed > 0)
    .map(({ brand, failed }) => `No usable answer from ${oneLine(brand)} for ${counted(failed, 'home')}.`);
}

function queryText({ query }: ComparisonBody, place: string): string {
  const day = (text: string) => dayText(parseDay(text) ?? 0);
  return [
    place,
    `${day(query.check_in)} to ${day(query.check_out)}`,
    counted(query.nights, 'night'),
    counted(query.guests, 'guest'),
  ].join(' · ');
}

function countText(body: ComparisonBody): string {
  const { comparison_set: set, applied_filters, cleared_amenities = [] } = body;
  const labels = (amenities: readonly string[]) =>
    amenities.map((amenity) => amenityLabel(amenity, body)).join(', ');
  const shown = set.truncated
    ? `${set.options_count} of ${counted(set.total_matches, 'home')}, cheapest first.`
    : `${counted(set.options_count, 'home')}, cheapest first.`;
  return [
    shown,
    ...(set.selection.complete ? [] : ['Not every home could be priced, so one may be cheaper.']),
    ...(set.totals_include_taxes_and_fees ? ['Totals include all taxes and fees.'] : []),
    ...(applied_filters.amenities.length > 0 ? [`Only with: ${labels(applied_filters.amenities)}.`] : []),
    ...(cleared_amenities.length > 0
      ? [`No home has all of it, so these filters went: ${labels(cleared_amenities)}.`]
      : []),
  ].join(' ');
}
