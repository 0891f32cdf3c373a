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
  /** The kind of booking system. */
  readonly kind: string;
  /** The operator's name of a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly terms: BrandTerms;
  readonly budget: BrandBudget;
  /** Per server, the brands whose booking system or website it is; for a vendor's API possibly none. Feeds of other brands are not read there. */
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
    /** How long prices may come from a document after its last successful reading, while it cannot be read again. */
    readonly maxDocumentAgeMs?: number;
    /** An operator's document could not be read, and the last accepted one is used instead. */
    readonly onLastDocumentUsed?: (brand: BrandId, failure: BookingSystemFailure) => void;
    /** An availability feed of a home lost most of its nights, which stay taken. */
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

/** The terms of the network file for all prices and listings of a brand. */
export type BrandTerms = {
  /** How long the operator holds a price whose answer names no end; null without such a promise. */
  readonly quoteHoldMs: number | null;
  /** For a brand without rated listings; null when it is not stated. */
  readonly ratingScale: number | null;
};

/** Applies the terms to any kind of booking system, so that no connector has to. */
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
    close: () => system.close(),
  };
}

/** Gives listings without a score the most frequent scale of the brand's rated listings, or else the stated one. */
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
