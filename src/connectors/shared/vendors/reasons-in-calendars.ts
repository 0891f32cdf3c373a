import type { CalendarReadings, Horizon, UnavailableReason } from '../../../quotes/booking-system.ts';
import { obstacleOfStay } from '../calendars/stay-obstacle.ts';
import type { AskedStayTerms } from './vendor-system.ts';

/** For a vendor that has refused already and gives no reason, so calendars that cannot be read only cost the reasons. */
export async function reasonsInCalendars(
  refused: { readonly size: number },
  stay: AskedStayTerms,
  readCalendars: (horizon: Horizon) => Promise<CalendarReadings>,
): Promise<ReadonlyMap<string, UnavailableReason>> {
  const reasons = new Map<string, UnavailableReason>();
  if (refused.size === 0) return reasons;
  try {
    for (const [reference, calendar] of await readCalendars(daysOf(stay))) {
      const obstacle = calendar.kind === 'valid' ? obstacleOfStay(calendar.value, stay) : undefined;
      if (obstacle) reasons.set(reference, obstacle);
    }
  } catch {
    return reasons;
  }
  return reasons;
}

/** With the day of departure, which has a rule too. */
export function daysOf({ checkIn, checkOut }: Pick<AskedStayTerms, 'checkIn' | 'checkOut'>): Horizon {
  return { from: checkIn, nights: checkOut - checkIn + 1 };
}
