import { type Clock, systemClock } from '../../src/clock.ts';
import { connectNetwork } from '../../src/connect-network.ts';
import { credentialVariable } from '../../src/credentials/account-credentials.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { Connector } from '../../src/operators/connector.ts';
import { CONNECTORS } from '../../src/operators/connectors.ts';
import { createInlineIntake } from '../../src/operators/intake/inline-intake.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import type { Emulator, EmulatorOptions } from '../emulators/emulator.ts';
import { LOOPBACK } from '../support/loopback-client.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

const START = Date.UTC(2027, 0, 15, 12);
/** Moves on, because tokens and limits do, from a day that never changes. */
export const vendorClock: Clock = {
  ...systemClock,
  now: () => START + Math.floor(systemClock.elapsed() - startedAt),
};
const startedAt = systemClock.elapsed();
export const TODAY = START / 86_400_000 - 0.5;

export const NO_LIMITS = [{ requests: 1_000_000, seconds: 1 }];

export type ConnectedVendor = {
  readonly system: BookingSystem;
  readonly emulator: Emulator;
  /** Another process: what was stored is there, what was remembered is not. */
  reconnect(): BookingSystem;
  close(): Promise<void>;
};

/** Starts an emulator, and connects it as the network file would. */
export async function connectVendor(
  { kind, start }: EmulatedVendorSystem,
  {
    homes,
    // Not off: an emulator that refuses nothing still says in its headers how little is left.
    limits = [{ requests: 1_000_000, perMs: 1000 }],
    entry = { rate_limits: NO_LIMITS },
    pageSize,
  }: Pick<EmulatorOptions, 'homes' | 'limits' | 'pageSize'> & {
    readonly entry?: Readonly<Record<string, unknown>>;
  },
): Promise<ConnectedVendor> {
  const options = { homes, limits, now: vendorClock.now, ...(pageSize === undefined ? {} : { pageSize }) };
  const emulator = await start(options);
  const connectors: readonly Connector[] = CONNECTORS;
  const secrets = Object.keys(connectors.find((one) => one.kind === kind)?.credentials ?? {});
  const env = Object.fromEntries(
    secrets.flatMap((name) => {
      const secret = emulator.credentials[name];
      return secret === undefined ? [] : [[credentialVariable('test', name), secret]];
    }),
  );
  const reading = describeNetwork(
    {
      name: 'Test',
      contact: 'nobody',
      places: [{ id: 'lisbon', name: 'Lisbon', kind: 'city', time_zone: 'Europe/Lisbon', currency: 'EUR' }],
      brands: [
        {
          source: 'acme',
          name: 'Acme',
          all_in_totals: false,
          places: { Lisbon: 'lisbon' },
          website: {
            hosts: [emulator.websiteHost],
            stay_url: `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}&guests={guests}`,
          },
          booking_system: { kind, account: 'test', url: emulator.url, ...entry },
        },
      ],
    },
    { env, directory: '.' },
  );
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  const { network, connections } = reading.value;
  const store = createMemoryInventoryStore();
  const opened: BookingSystem[] = [];

  function open(): BookingSystem {
    const systems = connectNetwork({
      network,
      connections,
      store,
      operatorNetworks: LOOPBACK,
      maxDocumentAgeMs: 300_000,
      onLastDocumentUsed: () => undefined,
      intake: createInlineIntake(network),
      clock: vendorClock,
      random: systemRandom,
    });
    const system = systems.get('acme');
    if (!system) throw new Error('there is no such brand');
    opened.push(system);
    return system;
  }

  return {
    system: open(),
    emulator,
    reconnect: open,
    async close() {
      for (const system of opened) await system.close();
      await emulator.close();
    },
  };
}
