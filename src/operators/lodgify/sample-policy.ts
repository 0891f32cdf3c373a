import type { Day } from '../../stay/day.ts';
import type { CallPass } from '../vendors/vendor-calls.ts';
import type { LodgifyApi } from './lodgify-api.ts';
import type { LodgifyPeriod } from './read-availability.ts';

/** From when on a stay is looked for: beyond the notice that most operators want. */
const SAMPLE_AFTER_DAYS = 30;
const SAMPLE_WITHIN_DAYS = 180;
/** A week is long enough for most, four weeks for those that let by the month. */
const SAMPLE_NIGHTS = [7, 28];

/**
 * The policy of a property as a quote for one of its free stays states it: empty when the quote states none, undefined when no stay
 * could be priced. The price itself is not used.
 */
export async function sampleLodgifyPolicy(
  api: LodgifyApi,
  home: { readonly property: string; readonly room: string; readonly currency: string },
  today: Day,
  pass: CallPass,
): Promise<string | undefined> {
  const horizon = { from: today + SAMPLE_AFTER_DAYS, nights: SAMPLE_WITHIN_DAYS };
  const availability = await api.availability(home.property, home.room, horizon, pass);
  for (const nights of SAMPLE_NIGHTS) {
    const checkIn = firstFreeStay(availability?.periods ?? [], horizon.from, nights);
    if (checkIn === undefined) continue;
    const stay = { ...home, checkIn, checkOut: checkIn + nights, guests: 1 };
    const { outcome, policy } = await api.quote(stay, pass);
    const text = policy.trim() === '' ? '' : policy;
    if (text !== '' || outcome.kind === 'quoted') return text;
  }
  return undefined;
}

function firstFreeStay(periods: readonly LodgifyPeriod[], from: Day, nights: number): Day | undefined {
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    const checkIn = Math.max(period.from, from);
    if (period.isFree && checkIn + nights <= period.to + 1) return checkIn;
  }
  return undefined;
}
