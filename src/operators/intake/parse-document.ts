import { BookingSystemFailure } from '../../quotes/booking-system.ts';

export function parseDocument(document: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(document));
  } catch (cause) {
    if (cause instanceof BookingSystemFailure) throw cause;
    throw new BookingSystemFailure('garbled', 'the document is not JSON', { cause });
  }
}

function textOf(document: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(document);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the document is not UTF-8', { cause });
  }
}
