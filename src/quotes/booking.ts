import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import type { AssistantId } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { isCurrency, type MinorUnits, parseAmount } from '../stay/money.ts';

/** A booking with our source marker, reported by an operator. */
export type ReportedBooking = {
  readonly brand: BrandId;
  /** The operator's own name for the booking, which identifies later reports of it. Operators are asked to put nothing about a person into it, which cannot be checked. */
  readonly reference: string;
  /** The identifier of the quote that the traveller followed; null when the operator does not know it. */
  readonly nxq: string | null;
  readonly status: BookingStatus;
  /** Epoch milliseconds. */
  readonly bookedAt: number;
  /** What the traveller was charged, in minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
};

/** The bookings that a booking system reports. */
export type BookingReports = {
  readonly bookings: readonly ReportedBooking[];
  /** How many more could not be read. */
  readonly leftOut: number;
};

export type BookingStatus = 'booked' | 'cancelled';

/** A booking with the ledger's data of its quote, so that it can still be counted when the quote has been deleted. */
export type BookingOutcome = ReportedBooking & {
  readonly reportedAt: number;
  /** When the operator's system last reported it; null while only a file has. */
  readonly collectedAt: number | null;
  /** Null when no quote of this brand has the identifier. */
  readonly quote: QuotedThen | null;
};

export type QuotedThen = {
  readonly assistant: AssistantId;
  readonly property: PropertyId;
  /** Empty in quotes older than this member. */
  readonly place: PlaceId | '';
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly amount: number;
  readonly currency: string;
  readonly retrievedAt: number;
};

/** The columns of a file and the members of the open protocol that are read of a booking. Nothing else is read or stored. */
export const BOOKING_MEMBERS = ['reference', 'quote', 'status', 'booked_at', 'amount', 'currency'] as const;
export type BookingMember = (typeof BOOKING_MEMBERS)[number];

/** A booking as the operator wrote it; an empty quote means none. */
export type WrittenBooking = Readonly<Record<BookingMember, string>>;

export type BookingFault = {
  readonly member: BookingMember;
  /** Completes the sentence "<member> …". */
  readonly reason: string;
  readonly remedy: string;
};

/** No e-mail address or sentence matches. A name or a telephone number does: operators must not choose one. */
export const BOOKING_REFERENCE = '^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$';
export const QUOTE_IDENTIFIER = '^nxq_[A-Za-z0-9_-]{1,64}$';
export const BOOKING_STATUSES = ['booked', 'cancelled'] as const satisfies readonly BookingStatus[];

/** Codes in use that `Intl` omits: codes of funds, and the digital bolívar. */
const OTHERS = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED'.split(' ');
const KNOWN_CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...OTHERS]);

const reference = new RegExp(BOOKING_REFERENCE);
const quoteIdentifier = new RegExp(QUOTE_IDENTIFIER);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
/** An operator's clock may be wrong. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

const REMEDIES: Readonly<Record<BookingMember, string>> = {
  reference:
    'give your own name of the booking, which never changes: letters, digits, . _ / -, at most 64, and nothing about a guest',
  quote: 'give the identifier that the link of the stay carried, such as nxq_…, or leave it empty',
  status: 'write booked or cancelled',
  booked_at: 'give the moment of the booking with its time zone, such as 2027-03-01T12:30:00Z',
  amount: 'give what the traveller was charged, with no more decimals than its currency has, such as 412.50',
  currency: 'give its ISO 4217 code, such as EUR',
};

/** Reports all faults of a booking together. */
export function readBooking(
  written: WrittenBooking,
  { brand, now }: { readonly brand: BrandId; readonly now: number },
): Reading<ReportedBooking, BookingFault> {
  const faults: BookingFault[] = [];
  const fault = (member: BookingMember, reason: string) =>
    faults.push({ member, reason, remedy: REMEDIES[member] });

  if (!reference.test(written.reference)) {
    fault('reference', written.reference === '' ? 'is missing' : 'is not the name of a booking');
  }
  if (written.quote !== '' && !quoteIdentifier.test(written.quote)) {
    fault('quote', 'is not the identifier of a quote');
  }
  const status = BOOKING_STATUSES.find((one) => one === written.status);
  if (status === undefined) fault('status', 'is neither booked nor cancelled');
  const bookedAt = readInstant(written.booked_at);
  if (bookedAt === undefined) fault('booked_at', 'is not an instant with its time zone');
  else if (bookedAt > now + MAX_AHEAD_MS) fault('booked_at', 'is in the future');
  if (!KNOWN_CURRENCIES.has(written.currency)) fault('currency', 'is not the code of a currency');
  const amount = readCharge(written);
  if (amount === undefined) fault('amount', 'is not an exact amount of this currency');

  if (faults.length > 0 || status === undefined || bookedAt === undefined || amount === undefined) {
    return invalid(...faults);
  }
  return valid({
    brand,
    reference: written.reference,
    nxq: written.quote === '' ? null : written.quote,
    status,
    bookedAt,
    amount,
    currency: written.currency,
  });
}

/** Undefined when it is not an instant. */
function readInstant(text: string): number | undefined {
  // `Date.parse` turns 30 February into a day in March.
  const isReal = INSTANT.test(text) && parseDay(text.slice(0, 10)) !== undefined;
  const instant = isReal ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** Whether an amount is exact depends on its currency; an unknown currency counts as one with two decimals. */
function readCharge({ amount: text, currency }: WrittenBooking): MinorUnits | undefined {
  const amount = parseAmount(text, isCurrency(currency) ? currency : 'EUR');
  return amount === undefined || amount < 0 ? undefined : amount;
}
