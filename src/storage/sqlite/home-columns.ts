import type { IndexedHome } from '../../availability/availability-index.ts';
import { indexedHome } from '../../availability/inventory-store.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import { digestOfText } from '../../catalogue/catalogue.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { numberIn, type SqliteRow, textIn } from './columns.ts';

/** A listing as it is stored: what the index needs in columns, so that a start has no texts to parse, and the whole as JSON. */
export type PropertyRow = Omit<IndexedHome, 'brand' | 'amenities'> & {
  readonly reference: string;
  readonly amenities: string | null;
  readonly digest: number;
  readonly weight: number;
  readonly state: string;
};

export function rowOf(property: Property): PropertyRow {
  const { brand: _, amenities, ...home } = indexedHome(property);
  const state = JSON.stringify(property);
  return {
    ...home,
    reference: property.reference,
    amenities: amenities && JSON.stringify(amenities),
    digest: digestOfText(state),
    weight: weightOf(property),
    state,
  };
}

export function homeIn(row: SqliteRow): IndexedHome {
  return {
    id: textIn(row, 'id'),
    brand: textIn(row, 'brand'),
    place: textIn(row, 'place'),
    maxGuests: numberIn(row, 'max_guests'),
    leadDays: numberIn(row, 'lead_days'),
    currency: textIn(row, 'currency'),
    amenities: row.amenities === null ? null : JSON.parse(textIn(row, 'amenities')),
  };
}
