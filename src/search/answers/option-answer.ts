import type { Brand, CancellationPolicy, CutPart, Property } from '../../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../../catalogue/stay-criteria.ts';
import type { Option, Quote } from '../../contract/option.ts';
import { formatTimestamp } from '../../contract/vocabulary.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import { toDecimal } from '../../stay/money.ts';
import { formatLocal, instantOf } from '../../stay/time-zone.ts';
import type { ComparedOption } from '../comparison.ts';
import { carriesQuote, propertyStayLink, stayQuery } from './stay-link.ts';

const POLICY_SUMMARY: CutPart = 'cancellation.summary';

/** An option with its JSON. */
export type WrittenOption = { readonly option: Option; readonly text: string };

/** Shapes and writes the options of one result. Common parts are computed once. */
export function createOptionWriter(
  criteria: CompleteCriteria,
  currency: string,
): (option: ComparedOption, rank: number) => WrittenOption {
  const { guests } = criteria;
  const checkIn = formatDay(criteria.checkIn);
  const checkOut = formatDay(criteria.checkOut);
  const nights = criteria.checkOut - criteria.checkIn;
  const timestamp = once(formatTimestamp);
  const queryOf = once((brand: Brand) => stayQuery(brand, criteria));

  return (option, rank) => {
    const home = homeOf(option.property, option.brand);
    const cancellation = cancellationAnswer(option);
    const stay = { url: linkOf(option, home), quote: quoteAnswer(option), ...truncatedFields(option) };
    const terms = JSON.stringify(cancellation);
    return {
      option: { rank, ...home.beforeTerms, cancellation, ...home.afterTerms, ...stay },
      text: `{"rank":${rank},${home.textBefore},"cancellation":${terms},${home.textAfter},${membersText(stay)}}`,
    };
  };

  /** The query is the same for all homes of a brand, unless the brand has a template for its addresses. */
  function linkOf({ property, brand, nxq }: ComparedOption, { plainPage }: Home): string {
    if (plainPage === null || brand.website.stayUrl) return propertyStayLink(property, brand, criteria, nxq);
    return `${plainPage}?${queryOf(brand)}${carriesQuote(brand) ? nxq : ''}`;
  }

  function quoteAnswer({ nxq, quote, guarantee, validUntil }: ComparedOption): Quote {
    return {
      nxq,
      amount: toDecimal(quote.total, currency),
      nightly_average: toDecimal(Math.round(quote.total / nights), currency),
      currency,
      check_in: checkIn,
      check_out: checkOut,
      guests,
      nights,
      line_items: quote.lines.map(({ label, amount }) => ({ label, amount: toDecimal(amount, currency) })),
      line_items_available: quote.linesAvailable,
      price_valid_until: timestamp(validUntil),
      price_guarantee: guarantee,
      retrieved_at: timestamp(quote.retrievedAt),
      deposit:
        quote.deposit === null
          ? null
          : { amount: toDecimal(quote.deposit.amount, currency), refundable: quote.deposit.refundable },
      due_on_site: quote.dueOnSite === null ? null : toDecimal(quote.dueOnSite, currency),
      signature: null,
      verify_url: null,
    };
  }

  function cancellationAnswer(option: ComparedOption): Option['cancellation'] {
    const { summary, refundable = null } = shownPolicy(option);
    const free = freeCancellation(option, criteria.checkIn);
    const isFree = free.kind === 'until';
    return {
      summary,
      free_cancellation_until: isFree ? timestamp(free.instant) : null,
      free_cancellation_until_local: isFree ? formatLocal(free.instant, option.timeZone) : null,
      free_cancellation: free.kind,
      // After the free period an operator may refund a part; only an explicit "not refundable" is certain.
      refundable: isFree || (free.kind === 'over' ? null : refundable),
    };
  }
}

type CancellationDeadline =
  | { readonly kind: 'until'; readonly instant: number }
  | { readonly kind: Exclude<Option['cancellation']['free_cancellation'], 'until'> };

/** As of the time when the price was read. Only from a structured policy: the operator's prose is never interpreted. */
function freeCancellation(option: ComparedOption, checkIn: Day): CancellationDeadline {
  const { free, refundable } = shownPolicy(option);
  if (refundable === false) return { kind: 'never' };
  if (free === null) return { kind: 'unpublished' };
  const [hours = 0, minutes = 0] = free.time.split(':').map(Number);
  const instant = instantOf(checkIn - free.daysBefore, hours * 60 + minutes, option.timeZone);
  return instant > option.quote.retrievedAt ? { kind: 'until', instant } : { kind: 'over' };
}

/** The terms of the price, if the operator states them, otherwise those of the listing. */
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

/** Computes once for each argument: the options of a result share a few instants and brands. */
function once<Argument, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const computed = new Map<Argument, Value>();
  return (argument) => {
    const known = computed.get(argument);
    if (known !== undefined) return known;
    const value = compute(argument);
    computed.set(argument, value);
    return value;
  };
}

type Home = ReturnType<typeof shapeHome>;

/** Two thirds of a result: shaped and written once for each listing object, not for every search that shows it. */
const homes = new WeakMap<Property, Home>();

function homeOf(property: Property, brand: Brand): Home {
  const known = homes.get(property);
  if (known?.brand === brand) return known;
  const home = shapeHome(property, brand);
  homes.set(property, home);
  return home;
}

function shapeHome(property: Property, brand: Brand) {
  const { rating, images, bookingMode } = property;
  const [primary, ...gallery] = images;
  const { href } = new URL(property.url);
  const beforeTerms = {
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
    amenities: property.amenities,
    rating: { score: rating.score, scale: rating.scale, review_count: rating.reviewCount },
  };
  const afterTerms = {
    check_in_time: property.checkInTime,
    check_out_time: property.checkOutTime,
    images: {
      primary: { url: primary.url, alt: primary.alt },
      gallery: gallery.map(({ url, alt, type }) => ({ url, alt, type })),
    },
    availability: {
      status: 'available' as const,
      booking_mode: bookingMode,
      inventory_source: brand.inventorySource,
      confirmation_hours: bookingMode === 'request' ? (property.confirmationHours ?? null) : null,
    },
  };
  return {
    brand,
    beforeTerms,
    afterTerms,
    textBefore: membersText(beforeTerms),
    textAfter: membersText(afterTerms),
    /** The home's page, if a query can be appended to it. */
    plainPage: /[?#]/.test(href) ? null : href,
  };
}

/** Without the braces. */
function membersText(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}
