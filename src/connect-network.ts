import type { Clock } from './clock.ts';
import type { BrandId, Network } from './inventory/catalogue.ts';
import type { InventoryStore } from './inventory/inventory-store.ts';
import { type AccountPatience, createAccounts } from './operators/account/accounts.ts';
import { type Connection, connectBookingSystem } from './operators/connect.ts';
import { createAllowedAddresses } from './operators/http/allowed-addresses.ts';
import { type ClientSurroundings, createClientOpener } from './operators/http/operator-client.ts';
import type { Intake } from './operators/intake/intake.ts';
import type { BookingSystem, BookingSystemFailure } from './quotes/booking-system.ts';
import type { Random } from './random.ts';

/** The booking systems of a network: one guarded client for all, and one account for all brands that share it. */
export function connectNetwork({
  network,
  connections,
  store,
  operatorNetworks,
  lookUp,
  maxDocumentAgeMs,
  onLastDocumentUsed,
  intake,
  patience,
  clock,
  random,
}: {
  readonly network: Network;
  readonly connections: ReadonlyMap<BrandId, Connection>;
  readonly store: Pick<InventoryStore, 'document' | 'saveDocument'>;
  /** Networks in which operators' servers may be although they are not public. */
  readonly operatorNetworks: readonly string[];
  readonly lookUp?: ClientSurroundings['lookUp'];
  readonly maxDocumentAgeMs: number;
  readonly onLastDocumentUsed: (brand: BrandId, failure: BookingSystemFailure) => void;
  readonly intake: Intake;
  /** How long an account may wait for its turn; without it, as long as its vendor wants. */
  readonly patience?: AccountPatience | undefined;
  readonly clock: Clock;
  readonly random: Random;
}): ReadonlyMap<BrandId, BookingSystem> {
  const addresses = createAllowedAddresses(operatorNetworks);
  const openClient = createClientOpener({ addresses, clock, lookUp });
  const openAccount = createAccounts({
    stored: (name) => ({
      read: () => store.document(name),
      save: (document) => store.saveDocument(name, document),
    }),
    patience,
    clock,
    random,
  });
  const tools = {
    network,
    store,
    clock,
    openClient,
    openAccount,
    intake,
    maxDocumentAgeMs,
    onLastDocumentUsed,
  };
  return new Map(
    Array.from(connections, ([brand, connection]) => [brand, connectBookingSystem(connection, tools)]),
  );
}
