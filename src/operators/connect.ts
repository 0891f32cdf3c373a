import type { Clock } from '../clock.ts';
import type { BrandId, Network, PlaceId } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { BookingSystem, BookingSystemFailure } from '../quotes/booking-system.ts';
import type { Connect } from './connector.ts';

/** A brand's booking system as the network file describes it. */
export type Connection = {
  readonly brand: BrandId;
  /** What the operator calls a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly connect: Connect;
};

export function connectBookingSystem(
  { brand: id, placeAliases, connect }: Connection,
  {
    network,
    store,
    clock,
    onOutOfReach = () => undefined,
  }: {
    readonly network: Network;
    readonly store: Pick<InventoryStore, 'saveDocument' | 'document'>;
    readonly clock: Clock;
    /** An operator could not be reached, and the document accepted last is used instead. */
    readonly onOutOfReach?: (brand: BrandId, failure: BookingSystemFailure) => void;
  },
): BookingSystem {
  const brand = network.brands.get(id);
  if (!brand) throw new Error(`no brand ${id} on the network`);
  return connect({
    context: { brand: id, hosts: brand.website.hosts, placeAliases, places: network.places },
    clock,
    stored: { read: () => store.document(id), save: (text) => store.saveDocument(id, text) },
    onOutOfReach: (failure) => onOutOfReach(id, failure),
  });
}
