import type { Option } from '../contract/option.ts';
import type { Quote } from '../contract/quote.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import type { CancellationPolicy, CutPart } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';
import type { ComparedOption } from '../search/comparison.ts';
import { type Day, formatDay } from '../stay/day.ts';
import { toDecimal } from '../stay/money.ts';
import { formatLocal, instantOf } from '../stay/time-zone.ts';
import { propertyStayLink } from './stay-link.ts';

const POLICY_SUMMARY: CutPart = 'cancellation.summary';

export function optionAnswer(
  option: ComparedOption,
  rank: number,
  criteria: CompleteCriteria,
  currency: string,
): Option {
  const { property, brand } = option;
  const [primary, ...gallery] = property.images;
  return {
    rank,
    property_id: property.id,
    name: property.name,
    brand: brand.name,
    location: property.location,
    capacity: {
      max_guests: property.maxGuests,
      summary: property.summary,
      bedrooms: property.bedrooms,
      bathrooms: property.bathrooms,
    },
    amenities: property.amenities === null ? null : { ...property.amenities },
    rating: {
      score: property.rating.score,
      scale: property.rating.scale,
      review_count: property.rating.reviewCount,
    },
    cancellation: cancellationAnswer(option, criteria.checkIn),
    check_in_time: property.checkInTime,
    check_out_time: property.checkOutTime,
    images: {
      primary: { url: primary.url, alt: primary.alt },
      gallery: gallery.map(({ url, alt, type }) => ({ url, alt, type })),
    },
    availability: {
      status: 'available',
      booking_mode: property.bookingMode,
      inventory_source: brand.inventorySource,
      confirmation_hours: property.bookingMode === 'request' ? (property.confirmationHours ?? null) : null,
    },
    url: propertyStayLink(property, brand, criteria),
    quote: quoteAnswer(option, criteria, currency),
    ...truncatedFields(option),
  };
}

function quoteAnswer(
  { nxq, quote, guarantee, validUntil }: ComparedOption,
  criteria: CompleteCriteria,
  currency: string,
): Quote {
  const nights = criteria.checkOut - criteria.checkIn;
  return {
    nxq,
    amount: toDecimal(quote.total, currency),
    nightly_average: toDecimal(Math.round(quote.total / nights), currency),
    currency,
    check_in: formatDay(criteria.checkIn),
    check_out: formatDay(criteria.checkOut),
    guests: criteria.guests,
    nights,
    line_items: quote.lines.map(({ label, amount }) => ({ label, amount: toDecimal(amount, currency) })),
    line_items_available: quote.linesAvailable,
    price_valid_until: formatTimestamp(validUntil),
    price_guarantee: guarantee,
    retrieved_at: formatTimestamp(quote.retrievedAt),
    deposit:
      quote.deposit === null
        ? null
        : { amount: toDecimal(quote.deposit.amount, currency), refundable: quote.deposit.refundable },
    due_on_site: quote.dueOnSite === null ? null : toDecimal(quote.dueOnSite, currency),
    signature: null,
    verify_url: null,
  };
}

function cancellationAnswer(option: ComparedOption, checkIn: Day): Option['cancellation'] {
  const { timeZone, quote } = option;
  const { summary, refundable = null } = shownPolicy(option);
  const freeUntil = freeCancellationUntil(option, checkIn);
  const isStillFree = freeUntil !== null && freeUntil > quote.retrievedAt;
  return {
    summary,
    free_cancellation_until: freeUntil === null ? null : formatTimestamp(freeUntil),
    free_cancellation_until_local: freeUntil === null ? null : formatLocal(freeUntil, timeZone),
    // After the free period an operator may refund a part; only its own no is certain.
    refundable: freeUntil === null || refundable === false ? refundable : isStillFree || null,
  };
}

/** Only from a structured policy: the operator's prose is never interpreted. */
export function freeCancellationUntil(
  option: Pick<ComparedOption, 'property' | 'timeZone' | 'quote'>,
  checkIn: Day,
): number | null {
  const { free } = shownPolicy(option);
  if (free === null) return null;
  const [hours = 0, minutes = 0] = free.time.split(':').map(Number);
  return instantOf(checkIn - free.daysBefore, hours * 60 + minutes, option.timeZone);
}

/** A price comes with the terms under which it was priced, where the operator states them. */
function shownPolicy({ property, quote }: Pick<ComparedOption, 'property' | 'quote'>): CancellationPolicy {
  return quote.cancellation ?? property.cancellation;
}

function truncatedFields({ property, quote }: ComparedOption): Pick<Option, 'truncated_fields'> {
  const { cut } = property;
  if (!quote.cancellation) return cut ? { truncated_fields: [...cut] } : {};
  const ofProperty = (cut ?? []).filter((part) => part !== POLICY_SUMMARY);
  const fields = quote.cancellation.wasCut ? [...ofProperty, POLICY_SUMMARY] : ofProperty;
  return fields.length > 0 ? { truncated_fields: fields } : {};
}
