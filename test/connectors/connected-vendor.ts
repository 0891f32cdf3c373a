import { connectNetwork } from '../../src/connect-network.ts';
import { credentialVariable } from '../../src/credentials/account-credentials.ts';
import type { InventoryStore } from '../../src/inventory/inventory-store.ts';
import type { NetworkFileFor } from '../../src/network/network-file.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { Connector } from '../../src/operators/connector.ts';
import { CONNECTORS } from '../../src/operators/connectors.ts';
import { createInlineIntake } from '../../src/operators/intake/inline-intake.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import type { Emulator, EmulatorOptions } from '../emulators/emulator.ts';
import { LOOPBACK } from '../support/loopback-client.ts';
import { createVendorClock, type VendorClock } from './vendor-clock.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

/** Off the emulator's own limits too: its headers would go on telling how little is left of those. */
const WIDE_LIMITS = [{ requests: 1_000_000, perMs: 1000 }];
export const NO_LIMITS = [{ requests: 1_000_000, seconds: 1 }];

/** A brand that is on an emulator. Those with the same account share it. */
export type EmulatedBrand = {
  readonly vendor: EmulatedVendorSystem;
  readonly emulator: Emulator;
  readonly account?: string;
  /** What its entry in the network file says besides. */
  readonly entry?: Readonly<Record<string, unknown>>;
};

/** A network of such brands in Lisbon, as its file would describe it, and the environment with their credentials. */
export function networkOn(brands: Readonly<Record<string, EmulatedBrand>>): {
  readonly file: NetworkFileFor<readonly Connector[]>;
  readonly env: Readonly<Record<string, string>>;
} {
  const connectors: readonly Connector[] = CONNECTORS;
  const env: Record<string, string> = {};
  for (const { vendor, emulator, account = 'test' } of Object.values(brands)) {
    const { credentials = {} } = connectors.find(({ kind }) => kind === vendor.kind) ?? {};
    for (const name of Object.keys(credentials)) {
      const secret = emulator.credentials[name];
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
      booking_system: { kind: vendor.kind, account, url: emulator.url, rate_limits: NO_LIMITS, ...entry },
    })),
  };
  return { file, env };
}

/** Connects brands as the service does; what is stored outlives the connection. */
export function connectBrands(
  brands: Readonly<Record<string, EmulatedBrand>>,
  { clock, store }: { readonly clock: VendorClock; readonly store: InventoryStore },
): (brand: string) => BookingSystem {
  const { file, env } = networkOn(brands);
  const reading = describeNetwork(file, { env, directory: '.' });
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  const { network, connections } = reading.value;
  const systems = connectNetwork({
    network,
    connections,
    store,
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

export function clockOf({ tokenWaitMs }: EmulatedVendorSystem): VendorClock {
  return createVendorClock({ skippedWaitMs: tokenWaitMs ?? null });
}

export type ConnectedVendor = {
  readonly system: BookingSystem;
  readonly emulator: Emulator;
  readonly clock: VendorClock;
  readonly store: InventoryStore;
  /** Another process: what was stored is there, what was remembered is not. */
  reconnect(): BookingSystem;
  close(): Promise<void>;
};

/** Starts an emulator, and connects it as the network file would. */
export async function connectVendor(
  vendor: EmulatedVendorSystem,
  {
    entry = {},
    limits = WIDE_LIMITS,
    ...options
  }: Pick<EmulatorOptions, 'homes' | 'limits' | 'pageSize'> & {
    readonly entry?: Readonly<Record<string, unknown>>;
  },
): Promise<ConnectedVendor> {
  const clock = clockOf(vendor);
  const emulator = await vendor.start({ ...options, limits, now: clock.now });
  const store = createMemoryInventoryStore();
  const opened: BookingSystem[] = [];

  function open(): BookingSystem {
    const system = connectBrands({ acme: { vendor, emulator, entry } }, { clock, store })('acme');
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
