import {
  type AvailabilityIndex,
  type Matches,
  NO_CANDIDATES,
  type WantedMatches,
} from '../availability/availability-index.ts';
import type { Listings } from '../availability/inventory-store.ts';
import type { BrandId, Network, Property, PropertyId, UnreadyBrands } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay } from '../catalogue/stay-criteria.ts';
import type { Clock } from '../clock.ts';
import type { OnLeftBehind } from '../limits/coalesce.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { CallerPath } from '../limits/fair-semaphore.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import type { CollectQuotes } from '../quotes/collect-quotes.ts';
import type { Random } from '../random.ts';
import type { LimitsOf, SearchPlaces } from '../sessions/assistant-limits.ts';
import type { Session } from '../sessions/session.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';
import {
  type Alternatives,
  alternativesFrom,
  countRefused,
  type HomesInDoubt,
  type RefusedHomes,
  reasonsAmongMatches,
} from './alternatives.ts';
import { type Comparison, compareQuotes, type SilentBrand, silentAmong } from './comparison.ts';
import { pausedIn, unreadIn } from './unready-brands.ts';

export type Completed =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | {
      readonly kind: 'no_operator_answered';
      readonly retryAfterSeconds: number;
      readonly silent: readonly SilentBrand[];
    }
  /** The assistant has reached its limit of searches under way, so no operator was asked. */
  | { readonly kind: 'too_many_searches'; readonly retryAfterSeconds: number }
  /** Operators declined every match a moment ago, so they were not asked again. */
  | { readonly kind: 'just_refused'; readonly refused: RefusedHomes; readonly alternatives: Alternatives };

/** The caller for whom operators are asked. */
export type Asker = {
  readonly caller: CallerPath;
  /** Aborts when the caller no longer waits: then no more operators are asked, and its reason is thrown. */
  readonly departure?: AbortSignal | undefined;
  readonly hear?: WaitingClient['hear'] | undefined;
  /** Called for each call to an operator that outlasts the search. */
  readonly onLeftBehind?: OnLeftBehind | undefined;
};

/** Takes matches from the index and asks the operators for prices, which are never cached. */
export type CompleteSearch = (
  criteria: CompleteCriteria,
  sessionEnd: number,
  asker: Asker,
) => Promise<Completed>;

/** The reasons for which operators declined homes of the brand, or of any brand, for this very stay. */
type FindRulesAgainst = (
  stay: RequestedStay,
  brand: BrandId | null,
) => ReadonlyMap<PropertyId, UnavailableReason>;

type UnrefusedMatches = {
  readonly matches: Matches;
  /** Why operators declined the other matches. */
  readonly justRefused: readonly UnavailableReason[];
};

/** The shortest wait of a caller after no operator answered. */
const RETRY_AFTER_SILENCE_SECONDS = 5;

export function createCompleteSearch({
  index,
  listings,
  network,
  collectQuotes,
  candidatesWanted,
  propertyRefused,
  rulesAgainst,
  inDoubt,
  unreadyBrands,
  checkWrites,
  maxOptions,
  clock,
  random,
}: {
  readonly index: AvailabilityIndex;
  readonly listings: Listings;
  readonly network: Network;
  readonly collectQuotes: CollectQuotes;
  readonly candidatesWanted: Omit<WantedMatches, 'without'>;
  /** Reports that an operator declined a stay that the index offered. */
  readonly propertyRefused: (property: PropertyId, stay: RequestedStay, reason: UnavailableReason) => void;
  /** Rules of a moment ago: asking those homes again would only cost another candidate its turn. */
  readonly rulesAgainst: FindRulesAgainst;
  /** Homes that operators declined a moment ago for this stay or for some of its nights. */
  readonly inDoubt: HomesInDoubt;
  readonly unreadyBrands: UnreadyBrands;
  /** Why the store cannot write at present; null when it can. */
  readonly checkWrites: () => Promise<StorageFailureKind | null>;
  /** Options shown in a result; more may be priced. */
  readonly maxOptions: number;
  readonly clock: Clock;
  readonly random: Random;
}): CompleteSearch {
  return async (criteria, sessionEnd, { caller, departure, hear, onLeftBehind }) => {
    const fault = await checkWrites();
    // The result could not be stored, so do not ask operators for it.
    if (fault !== null) throw new StorageFailure(fault, 'Nothing can be stored, so no operator was asked.');
    const { place, checkIn, checkOut, guests, ...others } = criteria;
    // Only the index needs these. A new criterion does not compile until this code decides whether to send it to operators.
    const { brand: _brand, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
    forgotten satisfies Record<string, never>;
    const stay = { checkIn, checkOut, guests };
    const { matches, justRefused } = unrefusedMatches(criteria);
    if (matches.total === 0 && justRefused.length > 0) {
      const refused = countRefused(justRefused);
      return { kind: 'just_refused', refused, alternatives: alternatives(criteria, refused) };
    }
    const listing = readOnce(listings);
    const collected = await collectQuotes({
      candidates: matches.candidates,
      property: listing,
      ...stay,
      currency: network.places.get(place)?.currency ?? '',
      caller,
      signal: departure,
      onProgress: hear,
      onLeftBehind,
    });
    for (const { property, reason } of collected.refused) propertyRefused(property, stay, reason);
    departure?.throwIfAborted();
    const now = clock.now();
    const silent = silentAmong(collected.failures, network, now);
    if (collected.everyOperatorFailed) {
      const askableAfterSeconds = Math.ceil(collected.askableAfterMs / 1000);
      return {
        kind: 'no_operator_answered',
        retryAfterSeconds: Math.max(RETRY_AFTER_SILENCE_SECONDS, askableAfterSeconds),
        silent,
      };
    }
    const refused = countRefused([...collected.refused.map(({ reason }) => reason), ...justRefused]);
    const missing = unreadyBrands();
    const unsearchable = unreadIn(criteria, missing, network);
    const asked = new Set(matches.candidates.map(({ brand }) => brand));
    const paused = pausedIn(criteria, missing, network).filter(({ id }) => asked.has(id));
    const comparison = compareQuotes({
      criteria,
      matches,
      ...(paused.length > 0 && { left: unrefusedMatches(criteria).matches }),
      unpublishedAmenities: withoutPublishedAmenities(criteria),
      maxOptions,
      collected,
      silent,
      unsearchable,
      paused: collected.quoted.length === 0 ? paused : [],
      refused,
      alternatives:
        collected.quoted.length === 0 && refused.length > 0 ? alternatives(criteria, refused) : {},
      // For an unreadable brand the time is unknown.
      askAgainAt:
        unsearchable.length > 0 || collected.askableAfterMs === 0 ? null : now + collected.askableAfterMs,
      listing,
      isOffered: (id) => index.has(id),
      isCommonAmenity: (amenity) => index.isCommonAmenity(amenity),
      network,
      sessionEnd,
      newQuoteId: () => newQuoteId(now, random),
    });
    return { kind: 'compared', comparison };
  };

  function unrefusedMatches(criteria: CompleteCriteria): UnrefusedMatches {
    const now = clock.now();
    const rules = rulesAgainst(criteria, criteria.brand);
    const matches = index.matches(criteria, now, { ...candidatesWanted, without: [...rules.keys()] });
    const justRefused = reasonsAmongMatches({ index, criteria, now, rules, others: matches.total });
    return { matches, justRefused };
  }

  function alternatives(criteria: CompleteCriteria, refused: RefusedHomes): Alternatives {
    return alternativesFrom({ criteria, refused, index, inDoubt, now: clock.now() });
  }

  /** Homes that the filter leaves out because their operators publish no amenities. */
  function withoutPublishedAmenities(criteria: CompleteCriteria): number {
    if (criteria.amenities.length === 0) return 0;
    const without = [...rulesAgainst(criteria, criteria.brand).keys()];
    const unfiltered = { ...criteria, amenities: [] };
    return index.matches(unfiltered, clock.now(), { ...NO_CANDIDATES, without }).unpublishedAmenities;
  }
}

/** Reads each listing once, so that a search never mixes two versions of it. */
function readOnce(listings: Listings): (id: PropertyId) => Property | undefined {
  const read = new Map<PropertyId, Property>();
  return (id) => {
    const listing = read.get(id) ?? listings.get(id);
    if (listing) read.set(id, listing);
    return listing;
  };
}

/** Places become free with every search that ends, so the wait is short. */
const TOO_MANY: Completed = { kind: 'too_many_searches', retryAfterSeconds: 2 };

/**
 * Refuses a search of an assistant that has reached its limit of searches under way. A search is under way until its last call to an
 * operator has ended: otherwise an assistant that disconnects and asks again could have any number of calls open.
 */
export function limitSearches(
  completeSearch: CompleteSearch,
  {
    places,
    limitsOf,
    maxMs,
  }: { readonly places: SearchPlaces; readonly limitsOf: LimitsOf; readonly maxMs: number },
): CompleteSearch {
  return async (criteria, sessionEnd, asker) => {
    const [assistant = ''] = asker.caller;
    const { searches: limit } = limitsOf(assistant);
    if (limit === undefined) return completeSearch(criteria, sessionEnd, asker);
    const leave = await places.take(assistant, { limit, maxMs });
    if (!leave) return TOO_MANY;
    const leftBehind: Promise<unknown>[] = [];
    try {
      return await completeSearch(criteria, sessionEnd, {
        ...asker,
        onLeftBehind: (call) => leftBehind.push(call),
      });
    } finally {
      // Synchronously if no call goes on, so that the place is free when the caller has the answer.
      if (leftBehind.length === 0) leave();
      else void Promise.allSettled(leftBehind).then(leave);
    }
  };
}

/** For a session whose operators were silent. */
export function retryAfterSilence({ operatorsAskableAt = 0 }: Session, now: number): number {
  return Math.max(RETRY_AFTER_SILENCE_SECONDS, Math.ceil((operatorsAskableAt - now) / 1000));
}

const INSTANT_BYTES = 6;
/** Enough that an identifier cannot be guessed by its instant. */
const RANDOM_BYTES = 10;

/**
 * Begins with the instant, which the quote states anyway: the identifiers of one result are neighbours in an index of millions, which then
 * changes one page instead of twenty.
 */
function newQuoteId(now: number, random: Random): string {
  const bytes = Buffer.alloc(INSTANT_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(Math.max(0, Math.floor(now)) % 2 ** (8 * INSTANT_BYTES), 0, INSTANT_BYTES);
  random.bytes(RANDOM_BYTES).copy(bytes, INSTANT_BYTES);
  return `nxq_${bytes.toString('base64url')}`;
}
