import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Network, PlaceId } from '../inventory/catalogue.ts';
import { dateOrderMeant } from '../search/date-order.ts';
import { readValue } from '../search/fields/rules.ts';
import { findPlace } from '../search/names/find-place.ts';
import type { FieldFault } from '../search/refusal.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import { isMisspelt } from './misspelt-place.ts';

/** Empty where nobody knows. */
export type UnmetWish = { readonly place: PlaceId | ''; readonly month: string; readonly reason: string };

/** These say that what was asked for cannot be had; others, that it was not said well. */
const OF_THE_OFFER: ReadonlySet<ReasonCode> = new Set([
  'nothing_free',
  'not_on_offer',
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'beyond_horizon',
  'party_too_large',
  'conflicts_with',
]);

/** The owner has taken the homes off offer. */
export const NOT_ON_OFFER = 'not_on_offer' satisfies ReasonCode;

/** Years ahead that a traveller may plan. Others are thousands of months with which a caller could fill the counts: their month counts as unknown. */
const MAX_YEARS_AHEAD = 3;

/** What a request asked for that is not on offer, with the reason of each. */
export function unmetWishes(step: CarriedOut, { network, now }: WishFacts): readonly UnmetWish[] {
  const faults = unmetFaults(step, network);
  if (faults.length === 0 && !step.isPaused) return [];
  const { onlyPlace, payload } = step.after;
  const isUntaken = (field: string) =>
    step.isPaused === true || step.refusal?.faults.some((fault) => fault.field === field) === true;
  const meant = isUntaken('destination') ? placeWritten(step, network) : '';
  const standing = onlyPlace ?? payload.destination ?? meant;
  const month = monthWritten(step, { isUntaken, now }) ?? payload.check_in_month ?? '';
  if (step.isPaused) return [{ place: onlyPlace ?? (meant || standing), month, reason: NOT_ON_OFFER }];
  return faults.map(({ field, reason }) => ({
    place: field === 'destination' ? meant : standing,
    month,
    reason: reason?.code ?? '',
  }));
}

export type WishFacts = { readonly network: Network; readonly now: number };

function unmetFaults(step: CarriedOut, network: Network): readonly FieldFault[] {
  const { refusal, search } = step;
  if (refusal === null) return [];
  // The first fault then stands for what the operators refused, and that is counted as such.
  const faults = search?.outcome.kind === 'just_refused' ? refusal.faults.slice(1) : refusal.faults;
  const missing = missingPlace(step, network);
  return faults.filter((fault) => fault === missing?.fault || isOfTheOffer(fault));
}

function isOfTheOffer({ code, field, reason }: FieldFault): boolean {
  return (
    code === 'invalid_value' && field !== 'amenities' && reason !== null && OF_THE_OFFER.has(reason.code)
  );
}

/** What was written where a place that is not on the network was asked for. A slip in the name of one that is suggested asks for that one. */
export function missingPlace(
  { refusal, supplied }: CarriedOut,
  network: Network,
): { readonly written: unknown; readonly fault: FieldFault } | null {
  const fault = refusal?.faults.find(
    ({ field, reason }) => field === 'destination' && reason?.code === 'not_on_network',
  );
  if (!fault) return null;
  const written = supplied.find(({ field }) => field === 'destination')?.raw;
  const isSlip = typeof written === 'string' && isMisspelt(written, fault.suggestions, network);
  return isSlip ? null : { written, fault };
}

/** The place that a destination names, where it names one. */
function placeWritten({ supplied }: CarriedOut, network: Network): PlaceId | '' {
  const raw = supplied.find(({ field }) => field === 'destination')?.raw;
  if (typeof raw !== 'string') return '';
  const lookup = findPlace(raw, network, () => []);
  return lookup.kind === 'found' ? lookup.place : '';
}

/** The month of an arrival that was not taken, where it can be read. */
function monthWritten(
  { supplied, before }: CarriedOut,
  { isUntaken, now }: { readonly isUntaken: (field: string) => boolean; readonly now: number },
): string | undefined {
  const order = dateOrderMeant(supplied, before.payload, now);
  for (const name of ['check_in_day', 'check_in_month'] as const) {
    const written = supplied.find(({ field }) => field === name);
    if (!written || !isUntaken(name)) continue;
    const reading = readValue(name, written.raw, order);
    if (reading.kind !== 'read') continue;
    const month = reading.value.slice(0, 'YYYY-MM'.length);
    return isNear(month, now) ? month : '';
  }
  return undefined;
}

function isNear(month: string, now: number): boolean {
  const thisMonth = new Date(now).toISOString().slice(0, 'YYYY-MM'.length);
  const last = `${Number(thisMonth.slice(0, 4)) + MAX_YEARS_AHEAD}${thisMonth.slice(4)}`;
  return month >= thisMonth && month <= last;
}
