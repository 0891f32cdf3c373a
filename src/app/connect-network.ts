import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId, Network } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { type Connection, connectBookingSystem } from '../connectors/connect.ts';
import type { OperatorAccess } from '../connectors/connector.ts';
import type { FeedLoss } from '../connectors/icalendar/availability-feeds.ts';
import { createFeedPace } from '../connectors/icalendar/fetch-feed.ts';
import { createAccounts } from '../connectors/shared/account/accounts.ts';
import type { Intake } from '../connectors/shared/intake/intake.ts';
import type { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OpenSharedAccount } from '../limits/shared-limits.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { type ClientSurroundings, createClientOpener } from '../outbound/http-client.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';

type AccessOptions = {
  readonly store: Pick<InventoryStore, 'document' | 'saveDocument'>;
  /** Left out where no other process uses the accounts. */
  readonly shareAccount?: OpenSharedAccount | undefined;
  /** Networks in which operators' servers may be although they are not public. */
  readonly operatorNetworks: readonly string[];
  readonly lookUp?: ClientSurroundings['lookUp'];
  readonly sign?: ClientSurroundings['sign'];
  /** How long a call of an account may wait for its turn; without a limit when left out. */
  readonly maxAccountWaitMs?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
};

/** One guarded client for all, and one account for all brands that share it. */
function openOperatorAccess({
  store,
  shareAccount,
  operatorNetworks,
  lookUp,
  sign,
  maxAccountWaitMs,
  clock,
  random,
}: AccessOptions): OperatorAccess {
  const addresses = createAllowedAddresses(operatorNetworks);
  return {
    openClient: createClientOpener({ addresses, clock, lookUp, sign }),
    openAccount: createAccounts({
      stored: (name) => ({
        read: () => store.document(name),
        save: (document) => store.saveDocument(name, document),
      }),
      share: shareAccount,
      maxWaitMs: maxAccountWaitMs,
      clock,
      random,
    }),
    feedPace: createFeedPace({ clock, share: shareAccount, random }),
  };
}

/** The booking systems of a network. */
export function connectNetwork({
  network,
  connections,
  maxDocumentAgeMs,
  onLastDocumentUsed,
  onNightsLost,
  intake,
  ...options
}: AccessOptions & {
  readonly network: Network;
  readonly connections: ReadonlyMap<BrandId, Connection>;
  readonly maxDocumentAgeMs: number;
  readonly onLastDocumentUsed: (brand: BrandId, failure: BookingSystemFailure) => void;
  readonly onNightsLost?: (brand: BrandId, reference: string, loss: FeedLoss) => void;
  readonly intake: Intake;
}): ReadonlyMap<BrandId, BookingSystem> {
  const { store, clock } = options;
  const tools = {
    network,
    store,
    clock,
    ...openOperatorAccess(options),
    intake,
    maxDocumentAgeMs,
    onLastDocumentUsed,
    onNightsLost,
  };
  return new Map(
    Array.from(connections, ([brand, connection]) => [brand, connectBookingSystem(connection, tools)]),
  );
}
