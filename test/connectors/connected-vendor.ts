import type { TestContext } from 'node:test';
import { connectNetwork } from '../../src/app/connect-network.ts';
import type { InventoryStore } from '../../src/availability/inventory-store.ts';
import type { Connector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { credentialVariable } from '../../src/connectors/shared/account/account-credentials.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import type { OpenSharedAccount } from '../../src/limits/shared-limits.ts';
import type { NetworkFileFor } from '../../src/network/network-file.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import type { Emulator, EmulatorOptions } from '../emulators/emulator.ts';
import { aHome } from '../emulators/homes.ts';
import { LOOPBACK } from '../support/loopback-client.ts';
import { createVendorClock, type VendorClock } from './vendor-clock.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

/** Off the emulator's own limits too: its headers would go on telling how little is left of those. */
export const WIDE_LIMITS = [{ requests: 1_000_000, perMs: 1000 }];
const NO_LIMITS = [{ requests: 1_000_000, seconds: 1 }];

/** A brand that is on an emulator. Those with the same account share it. */
export type EmulatedBrand = {
  readonly vendor: Pick<EmulatedVendorSystem, 'kind' | 'entryOn'>;
  readonly emulator: Emulator;
  readonly account?: string;
  /** What its entry in the network file says besides. */
  readonly entry?: Readonly<Record<string, unknown>> | undefined;
  /** In place of those that the emulator accepts. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
};

/** What the owner has to give for an account at the vendor. */
export function credentialNamesOf({ kind }: Pick<EmulatedVendorSystem, 'kind'>): readonly string[] {
  const connectors: readonly Connector[] = CONNECTORS;
  return Object.keys(connectors.find((one) => one.kind === kind)?.credentials ?? {});
}

/** A network of such brands in Lisbon, as its file would describe it, and the environment with their credentials. */
export function networkOn(brands: Readonly<Record<string, EmulatedBrand>>): {
  readonly file: NetworkFileFor<readonly Connector[]>;
  readonly env: Readonly<Record<string, string>>;
} {
  const env: Record<string, string> = {};
  for (const { vendor, emulator, account = 'test', credentials } of Object.values(brands)) {
    for (const name of credentialNamesOf(vendor)) {
      const secret = (credentials ?? emulator.credentials)[name];
      if (secret !== undefined) env[credentialVariable(account, name)] = secret;
    }
  }
  const file: NetworkFileFor<readonly Connector[]> = {
    name: 'Test',
    contact: 'nobody',
    places: [{ id: 'lisbon', name: 'Lisbon', kind: 'city', time_zone: 'Europe/Lisbon', currency: 'EUR' }],
    brands: Object.entries(brands).map(([source, { vendor, emulator, account = 'test', entry }]) => ({
      source,
      name: `Brand ${source}`,
      all_in_totals: false,
      places: { Lisbon: 'lisbon' },
      website: {
        hosts: [emulator.websiteHost],
        stay_url: `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}&guests={guests}`,
      },
      booking_system: {
        kind: vendor.kind,
        account,
        url: emulator.url,
        rate_limits: NO_LIMITS,
        ...vendor.entryOn?.(emulator),
        ...entry,
      },
    })),
  };
  return { file, env };
}

/** Connects brands as the service does; what is stored outlives the connection. */
export function connectBrands(
  brands: Readonly<Record<string, EmulatedBrand>>,
  {
    clock,
    store,
    shareAccount,
  }: {
    readonly clock: VendorClock;
    readonly store: InventoryStore;
    readonly shareAccount?: OpenSharedAccount;
  },
): (brand: string) => BookingSystem {
  const { file, env } = networkOn(brands);
  const reading = describeNetwork(file, { env, directory: '.' });
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  const { network, connections } = reading.value;
  const systems = connectNetwork({
    network,
    connections,
    store,
    shareAccount,
    operatorNetworks: LOOPBACK,
    maxDocumentAgeMs: 300_000,
    onLastDocumentUsed: () => undefined,
    intake: createInlineIntake(network),
    clock,
    random: systemRandom,
  });
  return (brand) => {
    const system = systems.get(brand);
    if (!system) throw new Error(`there is no brand ${brand}`);
    return system;
  };
}

export function clockOf({ tokenWaitMs }: Pick<EmulatedVendorSystem, 'tokenWaitMs'>): VendorClock {
  return createVendorClock({ skippedWaitMs: tokenWaitMs ?? null });
}

type Entered = Pick<EmulatedBrand, 'entry' | 'credentials'>;

export type ConnectedVendor = {
  readonly system: BookingSystem;
  readonly emulator: Emulator;
  readonly clock: VendorClock;
  readonly store: InventoryStore;
  /** Another process: what was stored is there, what was remembered is not. */
  reconnect(changes?: Entered): BookingSystem;
  close(): Promise<void>;
};

/** Starts an emulator, of one home unless told, and connects it as the network file would. */
export async function connectVendor<Options extends EmulatorOptions>(
  vendor: EmulatedVendorSystem<Options>,
  { entry, credentials, ...options }: Partial<Omit<Options, 'now'>> & Entered = {},
): Promise<ConnectedVendor> {
  const clock = clockOf(vendor);
  const defaults = { homes: [aHome()], limits: WIDE_LIMITS, now: clock.now };
  const emulator = await vendor.start({ ...defaults, ...options } as unknown as Options);
  const store = createMemoryInventoryStore();
  const opened: BookingSystem[] = [];

  function open(changes: Entered = {}): BookingSystem {
    const brand = { vendor, emulator, entry, credentials, ...changes };
    const system = connectBrands({ acme: brand }, { clock, store })('acme');
    opened.push(system);
    return system;
  }

  return {
    system: open(),
    emulator,
    clock,
    store,
    reconnect: open,
    async close() {
      for (const system of opened) await system.close();
      await emulator.close();
    },
  };
}

/** The same, closed when the test is over. */
export async function connectVendorFor<Options extends EmulatorOptions>(
  t: TestContext,
  ...args: Parameters<typeof connectVendor<Options>>
): Promise<ConnectedVendor> {
  const connection = await connectVendor(...args);
  t.after(() => connection.close());
  return connection;
}
