import type { LoadedHome } from '../../src/availability/inventory-store.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import { calendarDigest } from '../../src/catalogue/calendar.ts';
import type { Property } from '../../src/catalogue/catalogue.ts';
import { listingDigest } from '../../src/catalogue/catalogue.ts';
import { weightOf } from '../../src/parsing/owned-memory.ts';

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
