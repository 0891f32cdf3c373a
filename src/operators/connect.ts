import type { Clock } from '../clock.ts';
import type { BrandId, Network } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { ConnectionByKind } from '../network/connection.ts';
import type { BookingSystem, BookingSystemFailure } from '../quotes/booking-system.ts';
import type { ListingContext } from './listing-reader.ts';
import { createOpenBookingSystem } from './open/open-booking-system.ts';
import { createRateCardBookingSystem } from './rate-card/rate-card-booking-system.ts';
import { rateCardFile, rateCardUrl } from './rate-card/rate-card-source.ts';

export type ConnectDependencies = {
  readonly network: Network;
  readonly store: Pick<InventoryStore, 'saveRateCard' | 'rateCard'>;
  readonly clock: Clock;
  /** Told when a rate card could not be read and the one accepted last stood in for it. */
  readonly onOutOfReach?: (brand: BrandId, failure: BookingSystemFailure) => void;
};

type Kind = keyof ConnectionByKind;
type ConnectionOf<K extends Kind> = { [P in K]: ConnectionByKind[P] & { readonly kind: P } }[K];
type Adapters = {
  readonly [K in Kind]: (
    connection: ConnectionOf<K>,
    context: ListingContext,
    dependencies: ConnectDependencies,
  ) => BookingSystem;
};

const adapters: Adapters = {
  open: (connection, context, { clock }) => createOpenBookingSystem({ settings: connection, context, clock }),
  'rate-card': ({ source }, context, { clock, store, onOutOfReach }) =>
    createRateCardBookingSystem({
      source: 'file' in source ? rateCardFile(source.file) : rateCardUrl({ url: source.url, clock }),
      context,
      clock,
      store,
      onOutOfReach: (failure) => onOutOfReach?.(context.brand, failure),
    }),
};

/** The booking system behind one brand's entry in the network file. */
export function connectBookingSystem<K extends Kind>(
  connection: ConnectionOf<K>,
  dependencies: ConnectDependencies,
): BookingSystem {
  const brand = dependencies.network.brands.get(connection.brand);
  if (!brand) throw new Error(`no brand ${connection.brand} on the network`);
  const context: ListingContext = {
    brand: brand.id,
    hosts: brand.website.hosts,
    placeAliases: connection.placeAliases,
    places: dependencies.network.places,
  };
  const adapter: Adapters[K] = adapters[connection.kind];
  return adapter(connection, context, dependencies);
}
