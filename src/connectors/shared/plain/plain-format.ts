import { type Static, Type } from 'typebox';
import { CalendarPeriod, MAX_PERIODS } from '../../open/protocol.ts';
import { Listing, Reference } from '../listings/listing.ts';

/** Homes and their calendars as JSON Lines: one object a line, in UTF-8. docs/plain-format.md describes it. */
export const PLAIN_FORMAT = 'staywire-plain';
export const PLAIN_VERSION = 1;

/** Without its line break. */
export const MAX_PLAIN_LINE_BYTES = 1024 * 1024;

/** Of one line; a home may have several. */
export const MAX_CALENDAR_LINE_PERIODS = MAX_PERIODS;

export const HeaderLine = Type.Object(
  {
    type: Type.Literal('header'),
    format: Type.Literal(PLAIN_FORMAT),
    version: Type.Literal(PLAIN_VERSION),
    source: Type.Optional(
      Type.String({ maxLength: 200, description: 'Where the homes come from, in words.' }),
    ),
  },
  { description: 'The first line, where there is one.' },
);

export const PropertyLine = Type.Object(
  { type: Type.Literal('property'), ...Listing.properties },
  { description: 'A home, with the members of a listing.' },
);
export type PropertyLine = Static<typeof PropertyLine>;

export const CalendarLine = Type.Object(
  {
    type: Type.Literal('calendar'),
    property: Reference,
    periods: Type.Array(CalendarPeriod, { maxItems: MAX_CALENDAR_LINE_PERIODS }),
  },
  {
    description:
      'Nights of a home. It comes before or after the home, and several lines of one home add up; no two of them hold the same night.',
  },
);
export type CalendarLine = Static<typeof CalendarLine>;
