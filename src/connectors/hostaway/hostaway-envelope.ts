import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseRecord } from '../shared/vendors/loose-values.ts';

/** What stands around every answer of Hostaway. */
export type HostawayEnvelope =
  | { readonly kind: 'success'; readonly result: unknown; readonly count: unknown }
  /** Its reason is a text for people, so nothing is derived from it. */
  | { readonly kind: 'fail' };

export function readHostawayEnvelope(document: Uint8Array): HostawayEnvelope {
  const { status, result, count } = looseRecord(parseDocument(document));
  if (status === 'success') return { kind: 'success', result, count };
  if (status === 'fail') return { kind: 'fail' };
  throw new BookingSystemFailure(
    'garbled',
    'the answer says neither that it is a success nor that it is none',
  );
}

/** The result of an answer that has to be a success. */
export function hostawayResult(document: Uint8Array): { readonly result: unknown; readonly count: unknown } {
  const envelope = readHostawayEnvelope(document);
  if (envelope.kind === 'fail') throw new BookingSystemFailure('rejected', 'Hostaway refused the request');
  return envelope;
}
