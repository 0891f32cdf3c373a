import { connectNetwork } from '../../src/app/connect-network.ts';
import type { InventoryStore } from '../../src/availability/inventory-store.ts';
import { createAvailabilityIndex } from '../../src/availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import { systemClock } from '../../src/clock.ts';
import type { Intake } from '../../src/connectors/shared/intake/intake.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { LOOPBACK } from '../../test/support/loopback-client.ts';
import type { RunningSystem } from './booking-systems.ts';

const BRAND = 'measured';
const patient = new AbortController().signal;

/** A booking system connected as the service connects it, with an empty index. */
export type ConnectedSystem = {
  readonly system: BookingSystem;
  /** Reads catalogue and calendars, stores them and puts them on offer. Rejects unless all of it could be read. */
  synchronise(): Promise<void>;
  close(): Promise<void>;
};

/** What all connectors share in a service. */
export type SharedTools = { readonly store: InventoryStore; readonly intake: Intake };

/** Each call connects as after a first start of the service; only the token of the account is kept. */
export type ConnectMeasured = () => ConnectedSystem;

export function connectorTo(running: RunningSystem, { store, intake }: SharedTools): ConnectMeasured {
  const { network, connections } = networkWith(running);
  let connected = 0;

  return () => {
    connected += 1;
    const faults: unknown[] = [];
    const systems = connectNetwork({
      network,
      connections,
      store: withOwnDocuments(store, `${running.kind}/${connected}`),
      operatorNetworks: LOOPBACK,
      maxDocumentAgeMs: 300_000,
      onLastDocumentUsed: (_, failure) => faults.push(failure),
      intake,
      clock: systemClock,
      random: systemRandom,
    });
    const system = systems.get(BRAND);
    if (!system) throw new Error(`${running.name} is not connected`);
    const synchroniser = createSynchroniser({
      systems,
      index: createAvailabilityIndex(network, { now: systemClock.now() }),
      store,
      network,
      clock: systemClock,
      random: systemRandom,
      refreshMs: 900_000,
      horizonNights: HORIZON_NIGHTS,
      observe: {
        refreshed: () => undefined,
        failed: (_brand, _kind, error) => faults.push(error),
        paused: () => undefined,
        dateNotFollowed: () => undefined,
        withdrawn: () => undefined,
        indexFull: () => undefined,
        clockWasSet: () => undefined,
        loaded: () => undefined,
        storedRejections: () => undefined,
        storeFailed: (error) => faults.push(error),
        controlsNotRead: () => undefined,
      },
    });
    return {
      system,
      async synchronise() {
        const result = await synchroniser.refreshBrand(BRAND, { mode: 'full', signal: patient });
        const homes = running.references.length;
        if (faults.length === 0 && result?.listings === homes && result.calendarsRead === homes) return;
        const found = JSON.stringify(result?.rejections.slice(0, 3));
        throw new Error(
          `${running.name}: ${result?.listings} homes and ${result?.calendarsRead} calendars were read; held back: ${found}`,
          { cause: faults[0] },
        );
      },
      async close() {
        await synchroniser.stop();
        await system.close();
      },
    };
  };
}

type DocumentStore = Pick<InventoryStore, 'document' | 'saveDocument'>;

/** Nothing that an earlier connection kept is found, except tokens: a vendor may take a secret for a new one only once. */
function withOwnDocuments(store: DocumentStore, prefix: string): DocumentStore {
  const nameOf = (name: string) => (name.startsWith('account/') ? name : `${prefix}/${name}`);
  return {
    document: (name) => store.document(nameOf(name)),
    saveDocument: (name, document) => store.saveDocument(nameOf(name), document),
  };
}

export function networkWith({ name, host, entry, env }: RunningSystem) {
  const reading = describeNetwork(
    {
      name: 'Measured network',
      contact: 'bench@example.com',
      places: [{ id: 'lisbon', name: 'Lisbon', kind: 'city', time_zone: 'Europe/Lisbon', currency: 'EUR' }],
      brands: [
        {
          source: BRAND,
          name,
          all_in_totals: false,
          places: { Lisbon: 'lisbon' },
          website: {
            hosts: [host],
            stay_url: `${host.startsWith('127.') ? 'http' : 'https'}://${host}/homes/{reference}?from={check_in}&to={check_out}&guests={guests}`,
          },
          booking_system: entry,
        },
      ],
    },
    { env, directory: '.' },
  );
  if (reading.kind === 'invalid') throw new Error(`${name}: ${JSON.stringify(reading.faults)}`);
  return reading.value;
}
