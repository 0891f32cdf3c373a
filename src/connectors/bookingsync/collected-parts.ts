import type { BookingsyncCalendarPart } from './calendar-parts.ts';
import { joinRatedNights, type RatedNights } from './rated-nights.ts';
import { MAX_CALENDAR_FAULTS } from './read-calendar-parts.ts';

/** What the pages of several lists say about the rentals of a batch. */
export type CollectedParts = {
  add(part: BookingsyncCalendarPart): void;
  of(rental: string): readonly BookingsyncCalendarPart[];
};

/** More than any rental has of nights, changes and rates, so that a second one is noticed. */
const MAX_PARTS = MAX_CALENDAR_FAULTS + 5;

export function createCollectedParts(): CollectedParts {
  const parts = new Map<string, BookingsyncCalendarPart[]>();
  const rated = new Map<string, RatedNights>();

  return {
    add(part) {
      if (part.kind === 'rates') {
        const known = rated.get(part.rental);
        // Rates of a rental may go on over many pages, and are kept in the room of one.
        if (known) return joinRatedNights(known, part.nights);
        rated.set(part.rental, part.nights);
      }
      const known = parts.get(part.rental) ?? [];
      if (known.length < MAX_PARTS) known.push(part);
      parts.set(part.rental, known);
    },
    of: (rental) => parts.get(rental) ?? [],
  };
}
