import type { Brand } from '../../catalogue/catalogue.ts';
import { sentenceOf } from '../../contract/refusal-reasons.ts';
import { formatTimestamp } from '../../contract/vocabulary.ts';
import type { RefusedHomes } from '../alternatives.ts';
import type { Comparison, SilentBrand } from '../comparison.ts';
import type { Unsearchable } from '../decision.ts';

type Named = Pick<Brand, 'name'>;

/** Names the brands whose homes a search may have missed. */
export function notRead(brands: readonly Named[]): string {
  return `Not searched, or not fully, because ${whose(brands)} could not be read: ${brandNames(brands)}. Homes that are not known here may still be free.`;
}

/** Names the brands that were paused during a search. */
export function notOnOffer(brands: readonly Named[]): string {
  return `Homes of this search are not on offer here at present: ${brandNames(brands)}.`;
}

/** For a search in whose scope no brand can be searched. */
export function nothingSearchable({ reason, brands }: Pick<Unsearchable, 'reason' | 'brands'>): string {
  switch (reason) {
    case 'loading':
    case 'resuming':
      return 'The service is still loading homes, so nothing can be said about stays for a moment.';
    case 'place_paused':
      // While homes are not on offer, the service does not know which brands have homes there.
      return sentenceOf({ code: 'not_on_offer' }, 'destination');
    case 'paused':
      // The reason of a pause is not for callers.
      return `Nothing can be said about stays at the moment, because homes of this search are not on offer here at present: ${brandNames(brands)}. It does not mean that nothing is free.`;
    case 'unread':
      return `Nothing can be said about stays at the moment, because ${whose(brands)} could not be read: ${brandNames(brands)}. It does not mean that nothing is free.`;
  }
}

/** Whether the values of the session and of the request are stored. */
export function storedValuesSentence({ isRepeated }: { readonly isRepeated: boolean }): string {
  return isRepeated
    ? 'What was received before is kept. Nothing of this request was taken; it can be sent again.'
    : 'What was received is kept.';
}

function whose(brands: readonly Named[]): string {
  return brands.length === 1 ? 'a booking system' : 'booking systems';
}

const FAILURE_WORDS = {
  timeout: 'no answer in time',
  unreachable: 'cannot be reached',
  rejected: 'does not accept our requests',
  stay_rejected: 'does not accept this stay',
  rate_limited: 'rate limited',
  server_error: 'server error',
  garbled: 'unreadable answer',
  too_large: 'answer too large',
  wrong_currency: 'price in another currency',
  hold_too_short: 'price held too briefly',
  circuit_open: 'left alone after failures',
  overloaded: 'too many requests waiting',
} as const satisfies Record<SilentBrand['kind'], string>;

/** For an answer without prices: the silent brands and their kinds of failure. */
export function silentBrands(silent: readonly SilentBrand[]): string {
  const names = namesOf(silent, ({ kind }) => FAILURE_WORDS[kind]);
  return `No booking system gave a usable answer: ${names}. It does not mean that nothing is free.`;
}

/** For a partial result: the silent brands, their kinds of failure, and the time when each may be asked again, if known. */
export function silentInSet(silent: readonly SilentBrand[], sessionEnd: number): string {
  return namesOf(silent, ({ kind, askableAt }) => {
    if (askableAt === null) return FAILURE_WORDS[kind];
    const until = askableAt < sessionEnd ? earliestAgain(askableAt) : 'after the end of this session';
    return `${FAILURE_WORDS[kind]}, until ${until}`;
  });
}

function namesOf(silent: readonly SilentBrand[], suffix: (one: SilentBrand) => string): string {
  return brandNames(
    silent.map(({ brand }) => brand),
    (position) => {
      const one = silent[position];
      return one === undefined ? '' : ` (${suffix(one)})`;
    },
  );
}

const DECLINE_WORDS = {
  booked: 'no longer free',
  minimum_stay: 'fewer nights than the minimum stay',
  maximum_stay: 'more nights than the maximum stay',
  closed_to_arrival: 'no arrivals on that day',
  closed_to_departure: 'no departures on that day',
  lead_time: 'too soon to be booked',
  too_many_guests: 'too many guests',
  unknown_property: 'no longer offered',
  not_offered: 'not offered for this stay',
} as const satisfies Record<RefusedHomes[number]['reason'], string>;

/** Why the operators declined matching homes, in our words, with their number. */
export function refusedHomes(refused: RefusedHomes): string {
  const reasons = refused.map(({ reason, homes }) => `${DECLINE_WORDS[reason]} (${homes})`);
  return `The operators refused what matched: ${reasons.join(', ')}.`;
}

/** Further brands are only counted. */
const MAX_BRANDS_NAMED = 10;

/** The names are the network's own, so an answer may repeat them. */
function brandNames(
  brands: readonly Pick<Brand, 'name'>[],
  suffix: (position: number) => string = () => '',
): string {
  const named = brands.slice(0, MAX_BRANDS_NAMED).map(({ name }, position) => name + suffix(position));
  const others = brands.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/** Whether the silent brands can be asked again before the session ends. */
export function canAskAgain({
  askAgainAt,
  validUntil,
}: Pick<Comparison, 'askAgainAt' | 'validUntil'>): boolean {
  return askAgainAt === null || askAgainAt < validUntil;
}

/** The time to ask again, rounded up so that it is never too early. */
export function earliestAgain(askAgainAt: number): string {
  return formatTimestamp(Math.ceil(askAgainAt / 1000) * 1000);
}
