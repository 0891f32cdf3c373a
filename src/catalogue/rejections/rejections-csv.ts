import { csvCell } from '../../parsing/csv-cell.ts';
import type { BrandId } from '../catalogue.ts';
import type { CatalogueReading, HeldBack } from './rejection.ts';
import { HELD_BACK_RULES } from './rejection-rules.ts';

const COLUMNS = ['brand', 'reference', 'place', 'rule', 'value', 'reason', 'remedy', 'repaired'] as const;

/** What is held back of a brand as a table for spreadsheets (RFC 4180): a header, then a row for each part and each unmapped amenity. */
export function heldBackCsv(
  reports: readonly (Pick<CatalogueReading, 'heldBack' | 'unmappedAmenities'> & {
    readonly brand: BrandId;
  })[],
): string {
  const rows = reports.flatMap(({ brand, heldBack, unmappedAmenities = [] }) => [
    ...heldBack.map((held) => rowOf(brand, held)),
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

function rowOf(brand: BrandId, held: HeldBack): readonly string[] {
  const { reference, field, rule, value = '', reason, repaired } = held;
  const { remedy } = HELD_BACK_RULES[rule];
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
