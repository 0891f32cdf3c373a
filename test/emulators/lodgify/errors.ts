import { type EmulatedAnswer, jsonAnswer } from '../exchange.ts';

/** The codes that clients of the API have listed. */
export const LODGIFY_CODES = {
  unknown: 666,
  noRateDefined: 901,
  minStayRequired: 902,
  arrivalNotValid: 909,
  departureNotValid: 910,
  propertyNotAvailable: 911,
  validationError: 940,
  paymentError: 950,
  argumentError: 996,
  notFound: 997,
  notAuthorized: 999,
} as const;
export type LodgifyCode = (typeof LODGIFY_CODES)[keyof typeof LODGIFY_CODES];

/** `documented`: every failed request is a 500. `by_kind`: the status that HTTP has for it, as some clients expect. */
export type LodgifyStatuses = 'documented' | 'by_kind';

const STATUS_BY_KIND: Readonly<Partial<Record<LodgifyCode, number>>> = { 997: 404, 999: 401 };

export type LodgifyFailure = (code: LodgifyCode, message: string) => EmulatedAnswer;

export function lodgifyFailures(statuses: LodgifyStatuses): LodgifyFailure {
  return (code, message) =>
    jsonAnswer(statuses === 'documented' ? 500 : (STATUS_BY_KIND[code] ?? 400), {
      message,
      code,
      correlation_id: '5b0ad3c1-0000-4000-8000-000000000001',
      event_id: '9d41c7e2-0000-4000-8000-000000000001',
    });
}
