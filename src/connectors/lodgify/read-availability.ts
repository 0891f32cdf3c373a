import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { CalendarFault } from '../../quotes/booking-system.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import {
  cutText,
  isLooseRecord,
  looseList,
  looseNumber,
  memberOf,
  recordNumber,
} from '../shared/vendors/loose-values.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

/** Nights from the first to the last, both inclusive. */
export type LodgifyPeriod = { readonly from: Day; readonly to: Day; readonly isFree: boolean };
export type LodgifyAvailability = {
  readonly periods: readonly LodgifyPeriod[];
  readonly faults: readonly CalendarFault[];
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
): Generator<LodgifyAvailability, LodgifyAnswerEnd> {
  const answer = parseDocument(document);
  const errorCode = errorCodeOf(answer);
  if (errorCode !== null) return { errorCode };
  const rooms = Array.isArray(answer) ? answer : [answer];
  if (!rooms.every((entry) => Array.isArray(memberOf(entry, 'periods')))) {
    throw new BookingSystemFailure('garbled', 'the answer holds no periods');
  }
  const own = rooms.filter((entry) => recordNumber(memberOf(entry, 'room_type_id')) === room);
  if (own.length > 0) yield availabilityOf(own.flatMap((entry) => looseList(memberOf(entry, 'periods'))));
  return NO_ERROR;
}

/** An operator closes a period with a record of its own; null where it is open. */
function isClosed(published: unknown): boolean {
  return published === true || isLooseRecord(published);
}

function availabilityOf(published: readonly unknown[]): LodgifyAvailability {
  const periods: LodgifyPeriod[] = [];
  const faults: CalendarFault[] = [];
  if (published.length > MAX_PERIODS) {
    const reason = `periods has ${published.length} entries, may have at most ${MAX_PERIODS}`;
    return { periods, faults: [{ rule: 'too_many_entries', field: 'periods', reason }] };
  }
  for (const [index, period] of published.entries()) {
    const [start = '', end = ''] = ['start', 'end'].map((name) => cutText(memberOf(period, name), 10));
    const [from, to] = [parseDay(start), parseDay(end)];
    const units = looseNumber(memberOf(period, 'available'));
    const fault = (rule: CalendarFault['rule'], reason: string) =>
      faults.push({ rule, field: `periods/${index}`, reason: `periods[${index}]${reason}` });
    if (from === undefined || to === undefined)
      fault('no_such_day', ': start and end must be days, YYYY-MM-DD');
    else if (from > to) fault('period_backwards', `: starts on ${start}, after its end on ${end}`);
    else if (units === undefined) fault('wrong_type', ` (${start} to ${end}): available must be a number`);
    else periods.push({ from, to, isFree: units > 0 && !isClosed(memberOf(period, 'closed_period')) });
    if (faults.length >= MAX_FAULTS) break;
  }
  return { periods, faults };
}
