import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandBudget } from '../catalogue/brand-budget.ts';
import type { BrandId, BrandWebsite, Network, PlaceId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { serverOf } from '../parsing/web-address.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { Connect, OperatorAccess } from './connector.ts';
import type { FeedLoss } from './icalendar/availability-feeds.ts';
import { type BrandTerms, withBrandTerms } from './shared/brand-terms.ts';
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
