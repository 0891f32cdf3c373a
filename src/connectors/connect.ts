import type { InventoryStore } from '../availability/inventory-store.ts';
import type {
  BrandBudget,
  BrandId,
  BrandWebsite,
  Network,
  PlaceId,
  Property,
} from '../catalogue/catalogue.ts';
import { hasScore } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { inTurns } from '../limits/event-loop.ts';
import { serverOf } from '../parsing/web-address.ts';
import type { BookingSystem, OperatorQuote } from '../quotes/booking-system.ts';
import type { Connect, OperatorAccess } from './connector.ts';
import type { FeedLoss } from './icalendar/availability-feeds.ts';
import type { Intake } from './shared/intake/intake.ts';

/** A brand's booking system as the network file describes it. */
export type Connection = {
  readonly brand: BrandId;
  /** Of booking system. */
  readonly kind: string;
  /** What the operator calls a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly terms: BrandTerms;
  readonly budget: BrandBudget;
  /** By server, the brands whose booking system or website it is; of a vendor's API perhaps none. Feeds of other brands are not read there. */
  readonly serverOwners: ReadonlyMap<string, ReadonlySet<BrandId>>;
  readonly connect: Connect;
};

/** Five minutes, as in the settings. */
const DEFAULT_MAX_DOCUMENT_AGE_MS = 300_000;

export function connectBookingSystem(
  { brand: id, placeAliases, terms, budget, serverOwners, connect }: Connection,
  {
    network,
    store,
    clock,
    openClient,
    openAccount,
    feedPace,
    intake,
    maxDocumentAgeMs = DEFAULT_MAX_DOCUMENT_AGE_MS,
    onLastDocumentUsed = () => undefined,
    onNightsLost = () => undefined,
  }: {
    readonly network: Network;
    readonly store: Pick<InventoryStore, 'saveDocument' | 'document'>;
    readonly clock: Clock;
    readonly intake: Intake;
    /** How long a document may be priced from after its last successful reading, while it cannot be read again. */
    readonly maxDocumentAgeMs?: number;
    /** An operator's document could not be reached or read, and the one accepted last is used instead. */
    readonly onLastDocumentUsed?: (brand: BrandId, failure: BookingSystemFailure) => void;
    /** An availability feed of a home has lost most of its nights, which stay taken. */
    readonly onNightsLost?: ((brand: BrandId, reference: string, loss: FeedLoss) => void) | undefined;
  } & OperatorAccess,
): BookingSystem {
  const brand = network.brands.get(id);
  if (!brand) throw new Error(`no brand ${id} on the network`);
  const system = connect({
    context: { brand: id, ...addressRules(brand.website), placeAliases, places: network.places },
    clock,
    openClient,
    openAccount,
    feedPace,
    isForeign: (url) => serverOwners.get(serverOf(url))?.has(id) === false,
    intake,
    budget,
    stored: (name) => ({
      read: () => store.document(`${id}/${name}`),
      save: (document) => store.saveDocument(`${id}/${name}`, document),
    }),
    maxDocumentAgeMs,
    onLastDocumentUsed: (failure) => onLastDocumentUsed(id, failure),
    onNightsLost: (reference, loss) => onNightsLost(id, reference, loss),
  });
  return withBrandTerms(system, terms, clock);
}

function addressRules({ hosts, pagePattern = null, imagePattern = null, stayUrl = null }: BrandWebsite) {
  return { hosts, pagePattern, imagePattern, stayUrl };
}

const LISTINGS_A_TURN = 2000;

/** What the network file says about all prices and all listings of a brand. */
export type BrandTerms = {
  /** How long the operator holds a price for which its answer names no end; null when it promises nothing. */
  readonly quoteHoldMs: number | null;
  /** For a brand of which no listing is rated; null when it is not stated. */
  readonly ratingScale: number | null;
};

/** The same for every kind of booking system, so no connector has to know of it. */
export function withBrandTerms(
  system: BookingSystem,
  { quoteHoldMs, ratingScale }: BrandTerms,
  clock: Clock,
): BookingSystem {
  function held(quote: OperatorQuote, quoteHoldMs: number): OperatorQuote {
    if (quote.heldUntil !== null) return quote;
    const retrievedAt = quote.retrievedAt ?? clock.now();
    return { ...quote, retrievedAt, heldUntil: retrievedAt + quoteHoldMs };
  }

  return {
    brand: system.brand,
    limits: system.limits,
    async catalogue(signal, stillReading) {
      const reading = await system.catalogue(signal, stillReading);
      return { ...reading, properties: await withOneScale(reading.properties, ratingScale) };
    },
    calendars: (references, horizon, signal, stillReading) =>
      system.calendars(references, horizon, signal, stillReading),
    changedSince: async (instant, signal) => (await system.changedSince?.(instant, signal)) ?? null,
    prepare: async (signal) => system.prepare?.(signal),
    ...(system.estimates ? { estimates: system.estimates } : {}),
    async quote(request, signal) {
      const outcomes = await system.quote(request, signal);
      if (quoteHoldMs === null) return outcomes;
      return outcomes.map((outcome) =>
        outcome.kind === 'quoted' ? { ...outcome, quote: held(outcome.quote, quoteHoldMs) } : outcome,
      );
    },
    bookings: async (since, signal) => (await system.bookings?.(since, signal)) ?? null,
    restsForMs: (askedBy) => system.restsForMs?.(askedBy) ?? 0,
    budgetUse: () => system.budgetUse?.() ?? null,
    leads: (isLeading) => system.leads?.(isLeading),
    confirmLosses: (confirmed) => system.confirmLosses?.(confirmed),
    close: () => system.close(),
  };
}

/** Listings without a score get the scale that most rated ones of the brand have, or else the one that is stated. */
async function withOneScale(
  properties: readonly Property[],
  stated: number | null,
): Promise<readonly Property[]> {
  const counts = new Map<number, number>();
  const unrated: number[] = [];
  await inTurns(properties.entries(), LISTINGS_A_TURN, ([at, { rating }]) => {
    if (hasScore(rating)) counts.set(rating.scale, (counts.get(rating.scale) ?? 0) + 1);
    else unrated.push(at);
  });
  const [mostUsed] = [...counts].sort(([, one], [, other]) => other - one);
  const scale = mostUsed?.[0] ?? stated;
  if (scale === null || unrated.length === 0) return properties;
  const scaled = [...properties];
  await inTurns(unrated, LISTINGS_A_TURN, (at) => {
    const property = properties[at];
    if (property) scaled[at] = { ...property, rating: { ...property.rating, scale } };
  });
  return scaled;
}
