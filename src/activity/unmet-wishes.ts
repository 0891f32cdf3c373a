import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Network, PlaceId } from '../inventory/catalogue.ts';
import { dateOrderMeant } from '../search/date-order.ts';
import { readValue } from '../search/fields/rules.ts';
import { findPlace } from '../search/names/find-place.ts';
import type { FieldFault } from '../search/refusal.ts';
import type { CarriedOut } from '../search/search-observer.ts';

/** Empty where nobody knows. */
export type UnmetWish = { readonly place: PlaceId | ''; readonly month: string; readonly reason: string };

/** These say that what was asked for cannot be had; others, that it was not said well. */
const OF_THE_OFFER: ReadonlySet<ReasonCode> = new Set([
  'nothing_free',
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'beyond_horizon',
  'party_too_large',
  'conflicts_with',
]);

/** What a request asked for that is not on offer, with the reason of each. */
export function unmetWishes(step: CarriedOut, { network, now }: WishFacts): readonly UnmetWish[] {
  const faults = unmetFaults(step);
  if (faults.length === 0) return [];
  const meant = refusedPlace(step, network);
  const standing = step.after.onlyPlace ?? step.after.payload.destination ?? meant;
  const month = refusedMonth(step, now) ?? step.after.payload.check_in_month ?? '';
  return faults.map(({ field, reason }) => ({
    place: field === 'destination' ? meant : standing,
    month,
    reason: reason?.code ?? '',
  }));
}

export type WishFacts = { readonly network: Network; readonly now: number };

function unmetFaults({ refusal, search }: CarriedOut): readonly FieldFault[] {
  if (refusal === null) return [];
  // The first fault then stands for what the operators refused, and that is counted as such.
  const faults = search?.outcome.kind === 'just_refused' ? refusal.faults.slice(1) : refusal.faults;
  return faults.filter(isOfTheOffer);
}

function isOfTheOffer({ code, field, reason }: FieldFault): boolean {
  if (code !== 'invalid_value' || reason === null || field === 'amenities') return false;
  return OF_THE_OFFER.has(reason.code) || isMissingPlace({ field, reason });
}

export function isMissingPlace({ field, reason }: Pick<FieldFault, 'field' | 'reason'>): boolean {
  return field === 'destination' && reason?.code === 'not_on_network';
}

/** The place that a refused destination names, where it names one. */
function refusedPlace({ refusal, supplied }: CarriedOut, network: Network): PlaceId | '' {
  const isRefused = refusal?.faults.some(({ field }) => field === 'destination');
  const raw = isRefused ? supplied.find(({ field }) => field === 'destination')?.raw : undefined;
  if (typeof raw !== 'string') return '';
  const lookup = findPlace(raw, network, () => []);
  return lookup.kind === 'found' ? lookup.place : '';
}

/** The month of a refused arrival, where it can be read. */
function refusedMonth({ refusal, supplied, before }: CarriedOut, now: number): string | undefined {
  const order = dateOrderMeant(supplied, before.payload, now);
  for (const name of ['check_in_day', 'check_in_month'] as const) {
    const written = supplied.find(({ field }) => field === name);
    if (!written || !refusal?.faults.some(({ field }) => field === name)) continue;
    const reading = readValue(name, written.raw, order);
    if (reading.kind === 'read') return reading.value.slice(0, 'YYYY-MM'.length);
  }
  return undefined;
}
