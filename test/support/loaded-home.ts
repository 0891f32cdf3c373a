import type { Calendar } from '../../src/inventory/calendar.ts';
import { calendarDigest } from '../../src/inventory/calendar-digest.ts';
import type { Property } from '../../src/inventory/catalogue.ts';
import type { LoadedHome } from '../../src/inventory/inventory-store.ts';
import { listingDigest } from '../../src/inventory/listing-digest.ts';
import { weightOf } from '../../src/inventory/weight.ts';

/** What a store hands out of a property. */
export function loadedHome(property: Property, calendar: Calendar, readAt: number): LoadedHome {
  const { id, brand, place, maxGuests, leadDays, amenities, currency, reference } = property;
  const version = { listing: listingDigest(property), calendar: calendarDigest(calendar) };
  const home = { id, brand, place, maxGuests, leadDays, amenities, currency };
  return {
    ...{ id, brand },
    reference,
    weight: weightOf(property),
    version,
    readAt,
    content: { home, calendar, version },
  };
}
