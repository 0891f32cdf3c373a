import { csvCell } from '../../parsing/csv.ts';
import type { BrandId } from '../catalogue.ts';
import type { CatalogueReading, Rejection } from './rejection.ts';
import { REJECTION_RULES } from './rejection-rules.ts';

const COLUMNS = ['brand', 'reference', 'place', 'rule', 'value', 'reason', 'remedy', 'repaired'] as const;

/** What is held back of a brand as a table for spreadsheets (RFC 4180): a header, then a row for each part and each unmapped amenity. */
export function rejectionsCsv(
  reports: readonly (Pick<CatalogueReading, 'rejections' | 'unmappedAmenities'> & {
    readonly brand: BrandId;
  })[],
): string {
  const rows = reports.flatMap(({ brand, rejections, unmappedAmenities = [] }) => [
    ...rejections.map((held) => rowOf(brand, held)),
    ...unmappedAmenities.map(({ amenity, listings }) =>
      rowOf(brand, {
        reference: '',
        field: 'amenities',
        rule: 'unknown_amenity',
        value: amenity,
        reason: `is in ${listings} ${listings === 1 ? 'listing' : 'listings'} and not in the vocabulary`,
        repaired: true,
      }),
    ),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function rowOf(brand: BrandId, held: Rejection): readonly string[] {
  const { reference, field, rule, value = '', reason, repaired } = held;
  const { remedy } = REJECTION_RULES[rule];
  return [
    brand,
    reference,
    field === '' ? 'listing' : field,
    rule,
    value,
    reason,
    remedy,
    String(repaired ?? false),
  ];
}
