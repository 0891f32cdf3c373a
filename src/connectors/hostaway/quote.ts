import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { OperatorQuote } from '../../quotes/booking-system.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { checkedListings } from '../shared/listings/checked-listings.ts';
import { roundedAmountOf, roundedSumOf } from '../shared/prices/amount.ts';
import { type PublishedLine, readRoundedPriceLines } from '../shared/prices/quote-parts.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseFlag,
  looseList,
  looseNumber,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { readHostawayCalendar } from './calendar.ts';
import {
  readHostawayAmenities,
  readHostawayEnvelope,
  readHostawayListings,
  readHostawayPolicies,
} from './catalogue.ts';

export type HostawayPriceParameters = {
  /** Of the answer: 404 is an unknown listing, whatever the body says. */
  readonly status: number;
  /** The listing's currency: the answer states none. */
  readonly currency: string;
};

export type HostawayPriceReading =
  | { readonly kind: 'priced'; readonly quote: OperatorQuote }
  | { readonly kind: 'refused'; readonly reason: 'not_offered' | 'unknown_property' }
  | { readonly kind: 'failed'; readonly failure: FailureKind };

const MAX_COMPONENTS = 200;
/** Refunded after the stay, so neither in the total nor among its lines. */
const DEPOSITS = new Set(['damageDeposit', 'refundableDamageDeposit', 'securityDeposit']);

/** Intake task: reads the answer to `POST /listings/{id}/calendar/priceDetails`. */
export function* readHostawayPrice(
  document: Uint8Array,
  { status, currency }: HostawayPriceParameters,
): Generator<HostawayPriceReading, null> {
  const envelope = readHostawayEnvelope(document);
  if (status === 404) yield { kind: 'refused', reason: 'unknown_property' };
  else if (envelope.kind === 'fail') yield { kind: 'refused', reason: 'not_offered' };
  else if (status !== 200) yield { kind: 'failed', failure: 'stay_rejected' };
  else yield readDetails(envelope.result, currency);
  return null;
}

const GARBLED: HostawayPriceReading = { kind: 'failed', failure: 'garbled' };

function readDetails(result: unknown, currency: string): HostawayPriceReading {
  if (!isLooseRecord(result)) return GARBLED;
  const components = looseList(result.components).filter(isLooseRecord);
  const published = roundedAmountOf(result.totalPrice, currency);
  if (published === undefined || components.length > MAX_COMPONENTS) return GARBLED;
  const active = components.filter((component) => looseFlag(component.isDeleted) !== true);
  const deposits = active.filter(isDeposit);
  const charged = active.filter((component) => !isDeposit(component) && isIncluded(component));
  const deposit = sumOf(deposits, currency);
  const depositInTotal = sumOf(deposits.filter(isIncluded), currency);
  if (deposit === undefined || depositInTotal === undefined) return GARBLED;
  const isWhole = sumOf(active.filter(isIncluded), currency) === published;
  // Unless the parts add up, it is unclear whether the total includes the deposit.
  if (depositInTotal > 0 && !isWhole) return GARBLED;
  const total = published - depositInTotal;
  if (total <= 0) return GARBLED;
  return {
    kind: 'priced',
    quote: {
      currency,
      total,
      ...linesOf(charged, total, currency),
      heldUntil: null,
      deposit: deposit > 0 ? { amount: deposit, refundable: true } : null,
      dueOnSite: dueBesides(active, currency),
    },
  };
}

function linesOf(charged: readonly LooseRecord[], total: MinorUnits, currency: string) {
  const lines = charged.filter((component) => looseNumber(component.total) !== 0).map(lineOf);
  return readRoundedPriceLines(lines, total, currency, labelCleaner);
}

function lineOf({ alias, title, name, total }: LooseRecord): PublishedLine {
  return { label: looseText(alias) ?? looseText(title) ?? looseText(name) ?? '', amount: total };
}

/** Taxes and mandatory fees that the total leaves out are still due. */
function dueBesides(components: readonly LooseRecord[], currency: string): MinorUnits | null {
  const due = components.filter(
    (component) =>
      !isIncluded(component) &&
      !isDeposit(component) &&
      (component.type === 'tax' || looseFlag(component.isMandatory) === true),
  );
  const sum = sumOf(due, currency);
  return sum !== undefined && sum > 0 ? sum : null;
}

function isIncluded(component: LooseRecord): boolean {
  return looseFlag(component.isIncludedInTotalPrice) === true;
}

function isDeposit({ name }: LooseRecord): boolean {
  return typeof name === 'string' && DEPOSITS.has(name);
}

function sumOf(components: readonly LooseRecord[], currency: string): MinorUnits | undefined {
  return roundedSumOf(
    components.map(({ total }) => total),
    currency,
  );
}

/** How the intake reads each document of this booking system. */
export const hostawayTasks = {
  hostaway_listings: checkedListings(readHostawayListings),
  hostaway_amenities: readHostawayAmenities,
  hostaway_policies: readHostawayPolicies,
  hostaway_calendar: readHostawayCalendar,
  hostaway_price: readHostawayPrice,
} as const;
