import type { CalendarReading, Horizon } from '../../quotes/booking-system.ts';
import {
  type NightMembers,
  type NightRules,
  readNightlyCalendar,
  stayLimitsOf,
} from '../shared/calendars/nightly-calendar.ts';
import { looseIdentifier, looseInteger, looseNumber, looseRecord } from '../shared/vendors/loose-values.ts';
import type { Beds24Room } from './catalogue.ts';
import { readBeds24Page } from './catalogue.ts';

export type Beds24CalendarsParameters = {
  readonly horizon: Horizon;
  readonly rooms: ReadonlyMap<string, Beds24Room>;
};

type Override = { readonly isOpen: boolean; readonly noArrival: boolean; readonly noDeparture: boolean };

const OPEN: Override = { isOpen: true, noArrival: false, noDeparture: false };
const OVERRIDES: Readonly<Record<string, Override>> = {
  none: OPEN,
  /** Changes only how a booking is confirmed. */
  exception: OPEN,
  blackout: { ...OPEN, isOpen: false },
  noCheckIn: { ...OPEN, noArrival: true },
  noCheckOut: { ...OPEN, noDeparture: true },
  noCheckInOrCheckOut: { ...OPEN, noArrival: true, noDeparture: true },
};
const PRICES = Array.from({ length: 16 }, (_, index) => `price${index + 1}`);

/** Intake task: reads one page of `GET /inventory/rooms/calendar`. Spans include their last day. */
export function* readBeds24Calendars(
  document: Uint8Array,
  { horizon, rooms }: Beds24CalendarsParameters,
): Generator<readonly [reference: string, CalendarReading], { readonly hasNextPage: boolean }> {
  const { data, hasNextPage } = readBeds24Page(document);
  const seen = new Set<string>();
  for (const published of data) {
    const { roomId, calendar } = looseRecord(published);
    const reference = looseIdentifier(roomId) ?? '';
    const room = rooms.get(reference);
    if (!room || seen.has(reference)) continue;
    seen.add(reference);
    const reading = readNightlyCalendar(calendar, {
      horizon,
      currency: room.currency,
      span: { first: 'from', last: 'to' },
      readRules: (members) => rulesOf(members, room),
    });
    yield [reference, reading];
  }
  return { hasNextPage };
}

function rulesOf(members: NightMembers, room: Beds24Room): NightRules {
  const override = overrideOf(members);
  return {
    isAvailable: unitsOf(members) > 0 && override.isOpen,
    ...stayLimitsOf({ minimum: members.stayLimit('minStay'), maximum: members.stayLimit('maxStay') }, room),
    isClosedToArrival: override.noArrival,
    isClosedToDeparture: override.noDeparture,
    price: lowestPrice(members),
  };
}

/** Negative when a room is overbooked. */
function unitsOf({ night, fault }: NightMembers): number {
  const units = looseInteger(night.numAvail);
  if (units === undefined) fault('numAvail', 'the number of free units');
  return units ?? 0;
}

function overrideOf({ night, fault }: NightMembers): Override {
  const { override } = night;
  if (override === undefined || override === null || override === '') return OPEN;
  const known = typeof override === 'string' && Object.hasOwn(OVERRIDES, override);
  if (!known) fault('override', `one of ${Object.keys(OVERRIDES).join(', ')}`);
  return (known && OVERRIDES[override]) || OPEN;
}

/** A room has up to sixteen prices, which differ by offer and by number of guests. */
function lowestPrice({ night }: NightMembers): number | undefined {
  const prices = PRICES.flatMap((name) => looseNumber(night[name]) ?? []).filter((price) => price > 0);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}
