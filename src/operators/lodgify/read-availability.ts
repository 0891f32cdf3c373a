import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { looseId, looseList, looseNumber, looseText, memberOf } from '../loose-json.ts';

/** Nights from the first to the last, both inclusive. */
export type LodgifyPeriod = { readonly from: Day; readonly to: Day; readonly isFree: boolean };
export type LodgifyAvailability = {
  readonly periods: readonly LodgifyPeriod[];
  readonly faults: readonly string[];
};

const MAX_PERIODS = 3000;
const MAX_FAULTS = 20;

/**
 * A task of the intake: the answer of `GET /v2/availability/{property}`, of which one room is wanted. Its one item is left out when
 * the answer says nothing about that room.
 */
export function* readLodgifyAvailability(
  document: Uint8Array,
  { room }: { readonly room: string },
): Generator<LodgifyAvailability, null> {
  const answer = parseDocument(document);
  const rooms = Array.isArray(answer) ? answer : [answer];
  if (!rooms.every((entry) => Array.isArray(memberOf(entry, 'periods')))) {
    throw new BookingSystemFailure('garbled', 'the answer holds no periods');
  }
  const own = rooms.filter((entry) => looseId(memberOf(entry, 'room_type_id')) === room);
  if (own.length > 0) yield availabilityOf(own.flatMap((entry) => looseList(memberOf(entry, 'periods'))));
  return null;
}

function availabilityOf(published: readonly unknown[]): LodgifyAvailability {
  const periods: LodgifyPeriod[] = [];
  const faults: string[] = [];
  if (published.length > MAX_PERIODS) {
    return { periods, faults: [`periods has ${published.length} entries, must have at most ${MAX_PERIODS}`] };
  }
  for (const [index, period] of published.entries()) {
    const [start, end] = ['start', 'end'].map((name) => looseText(memberOf(period, name), 40).slice(0, 10));
    const [from, to] = [parseDay(start ?? ''), parseDay(end ?? '')];
    const units = looseNumber(memberOf(period, 'available'));
    if (from === undefined || to === undefined)
      faults.push(`periods[${index}]: start and end must be days, YYYY-MM-DD`);
    else if (from > to) faults.push(`periods[${index}]: starts on ${start}, after its end on ${end}`);
    else if (units === undefined)
      faults.push(`periods[${index}] (${start} to ${end}): available must be a number`);
    else periods.push({ from, to, isFree: units > 0 });
    if (faults.length >= MAX_FAULTS) break;
  }
  return { periods, faults };
}
