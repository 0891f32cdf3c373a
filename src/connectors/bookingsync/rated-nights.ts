import type { Horizon } from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import { minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';

/** Minimum stays and prices of the nights of a horizon. Its size does not depend on how many periods were sent. */
export type RatedNights = {
  /** The first day of the period that a night was rated by; `UNRATED` for a night outside all of them. */
  readonly ratedFrom: Int32Array;
  readonly minimumStay: Uint16Array;
  /** In minor units; 0 when there is none. */
  readonly price: Uint32Array;
};

export type RatePeriod = {
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
  readonly minimumStay: number;
  readonly price: number;
};

export const UNRATED = -(2 ** 31);

export function unratedNights({ nights }: Horizon): RatedNights {
  return {
    ratedFrom: new Int32Array(nights).fill(UNRATED),
    minimumStay: new Uint16Array(nights),
    price: new Uint32Array(nights),
  };
}

/** Where periods overlap, the one that begins later counts: the vendor's next period may begin on the last day of another. */
export function rateNights(
  { ratedFrom, minimumStay, price }: RatedNights,
  horizon: Horizon,
  period: RatePeriod,
): void {
  const end = Math.min(horizon.nights, period.to + 1 - horizon.from);
  for (let night = Math.max(0, period.from - horizon.from); night < end; night += 1) {
    if ((ratedFrom[night] ?? UNRATED) > period.from) continue;
    ratedFrom[night] = period.from;
    minimumStay[night] = minimumStayColumn(Math.max(period.minimumStay, 1));
    price[night] = priceColumn(period.price);
  }
}

/** Adds what a later page says to what earlier ones said. */
export function joinRatedNights(known: RatedNights, later: RatedNights): void {
  for (const [night, from] of later.ratedFrom.entries()) {
    if (from === UNRATED || (known.ratedFrom[night] ?? UNRATED) > from) continue;
    known.ratedFrom[night] = from;
    known.minimumStay[night] = later.minimumStay[night] ?? 1;
    known.price[night] = later.price[night] ?? 0;
  }
}
