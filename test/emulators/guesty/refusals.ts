import { type EmulatedAnswer, jsonAnswer } from '../exchange.ts';
import type { StayRefusal } from '../world.ts';

export type GuestyShape = 'live' | 'documented';

const REQUEST_ID = '7a63a0ef7470520b';

export function guestyFailure(
  shape: GuestyShape,
  status: number,
  code: string,
  details: {
    readonly message?: string;
    readonly errors?: readonly string[];
    readonly moreDetails?: object;
  } = {},
): EmulatedAnswer {
  const message = details.message ?? code;
  const errors = details.errors ? { errors: details.errors } : {};
  if (shape === 'documented') {
    return jsonAnswer(status, { error_code: code, message, data: { ...errors, requestId: REQUEST_ID } });
  }
  const moreDetails = details.moreDetails ?? {};
  return jsonAnswer(status, {
    error: { code, message, data: { ...errors, requestId: REQUEST_ID, moreDetails } },
  });
}

export function wrongParameters(shape: GuestyShape, ...errors: readonly string[]): EmulatedAnswer {
  return guestyFailure(shape, 400, 'WRONG_REQUEST_PARAMETERS', {
    message: "Request didn't pass validation",
    errors,
  });
}

/** What the live API says of the rate plan, and the code of the reference. */
const REFUSALS: Readonly<Record<StayRefusal, { readonly live: string; readonly documented: string } | null>> =
  {
    taken: { live: 'closed', documented: 'LISTING_CALENDAR_BLOCKED' },
    minimum_stay: { live: 'minNights', documented: 'MIN_NIGHT_MISMATCH' },
    maximum_stay: { live: 'maxNights', documented: 'LISTING_CALENDAR_BLOCKED' },
    closed_to_arrival: { live: 'closed', documented: 'LISTING_CALENDAR_BLOCKED' },
    closed_to_departure: { live: 'closed', documented: 'LISTING_CALENDAR_BLOCKED' },
    past: { live: 'advanceNotice', documented: 'LISTING_CALENDAR_BLOCKED' },
    too_many_guests: null,
    unknown_home: null,
    not_a_stay: null,
  };

export function refusedQuote(shape: GuestyShape, refusal: StayRefusal): EmulatedAnswer {
  if (refusal === 'unknown_home') return guestyFailure(shape, 403, 'FORBIDDEN');
  if (refusal === 'not_a_stay') {
    return wrongParameters(shape, '"checkOutDateLocalized" must be later than "checkInDateLocalized"');
  }
  const reason = REFUSALS[refusal];
  if (!reason) {
    return shape === 'live'
      ? guestyFailure(shape, 400, 'VALIDATION_ERROR', { message: 'The listing does not take so many guests' })
      : wrongParameters(shape, '"guestsCount" is more than the listing accommodates');
  }
  if (shape === 'documented') {
    return guestyFailure(shape, 400, 'CREATE_RESERVATION_ERROR', {
      message: 'Failed to create reservation',
      errors: [reason.documented],
    });
  }
  return guestyFailure(shape, 400, 'LISTING_IS_NOT_AVAILABLE', {
    message: 'The listing is not available for the stay',
    moreDetails: {
      notApplicableRatePlans: [{ ratePlanId: 'default-rateplan-id', notApplicable: { [reason.live]: true } }],
    },
  });
}
