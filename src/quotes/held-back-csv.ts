import type { BrandId } from '../inventory/catalogue.ts';
import type { CatalogueReading, HeldBack } from './booking-system.ts';
import { HELD_BACK_RULES } from './held-back-rules.ts';

const COLUMNS = ['brand', 'reference', 'place', 'rule', 'value', 'reason', 'remedy', 'repaired'] as const;
/** What a spreadsheet takes for a formula when it opens the file, also after blanks and in full width. */
const FORMULA = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;
/** Where another separator than the comma would begin a cell with a formula: in half of the world spreadsheets part at semicolons, and then quotes do not hold. */
const FORMULA_AFTER_SEPARATOR = /([;,|\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

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
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
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

function cell(text: string): string {
  const parted = text.replace(FORMULA_AFTER_SEPARATOR, "$1'");
  const harmless = FORMULA.test(parted) ? `'${parted}` : parted;
  return /[",;\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
