import { HORIZON_NIGHTS } from '../../../catalogue/calendar.ts';
import type { MinorUnits } from '../../../stay/money.ts';

const MAX_16_BITS = 2 ** 16 - 1;
const MAX_32_BITS = 2 ** 32 - 1;

/** A minimum beyond the horizon is kept as such, or as the largest that fits: no stay can be that long. */
export function minimumStayColumn(nights: number): number {
  return Math.min(nights, MAX_16_BITS);
}

/** No stay outlasts the horizon, so a maximum that does is none, which the column writes as 0. */
export function maximumStayColumn(nights: number | undefined): number {
  return nights === undefined || nights >= HORIZON_NIGHTS ? 0 : nights;
}

/** Indicative prices only order candidates, so one that is too large for the column stops at its top. */
export function priceColumn(amount: MinorUnits): number {
  return Math.min(amount, MAX_32_BITS);
}
