import type { BookingOutcome } from '../../quotes/booking.ts';

/** A later report replaces what is known of a booking, but for what it leaves unsaid: its quote, and when the operator's system told of it. */
export function mergeReport(known: BookingOutcome | undefined, reported: BookingOutcome): BookingOutcome {
  if (known === undefined) return { ...reported };
  const isSameQuote = reported.nxq === null || reported.nxq === known.nxq;
  return {
    ...reported,
    nxq: reported.nxq ?? known.nxq,
    quote: isSameQuote ? (reported.quote ?? known.quote) : reported.quote,
    collectedAt: reported.collectedAt ?? known.collectedAt,
  };
}
