import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseNumber, memberOf } from '../shared/vendors/loose-values.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

export type LodgifySettings = {
  readonly checkInTime: string | null;
  readonly checkOutTime: string | null;
  readonly leadDays: number;
};

const MAX_LEAD_DAYS = 365;

/** A task of the intake: the answer of `GET /v2/rates/settings`. It is one item. */
export function* readLodgifySettings(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifySettings, LodgifyAnswerEnd> {
  const settings = parseDocument(document);
  const errorCode = errorCodeOf(settings);
  if (errorCode !== null) return { errorCode };
  const [checkIn, checkOut] = ['check_in_hour', 'check_out_hour'].map(
    (name) => looseNumber(memberOf(settings, name)) ?? 0,
  );
  const days = Math.ceil(looseNumber(memberOf(settings, 'advance_notice_days')) ?? 0);
  // Midnight for both is how the vendor writes that neither was filled in.
  const areSet = checkIn !== 0 || checkOut !== 0;
  yield {
    checkInTime: areSet ? hourOf(checkIn) : null,
    checkOutTime: areSet ? hourOf(checkOut) : null,
    leadDays: Math.min(Math.max(0, days), MAX_LEAD_DAYS),
  };
  return NO_ERROR;
}

function hourOf(hour = 0): string | null {
  const isHour = Number.isInteger(hour) && hour >= 0 && hour <= 23;
  return isHour ? `${String(hour).padStart(2, '0')}:00` : null;
}
