import { type Clock, systemClock } from '../../src/clock.ts';
import { credentialVariable } from '../../src/credentials/account-credentials.ts';
import { DEFAULT_BRAND_BUDGET } from '../../src/inventory/brand-budget.ts';
import { createAccounts } from '../../src/operators/account/accounts.ts';
import type { Connector, StoredDocument } from '../../src/operators/connector.ts';
import { createInlineIntake } from '../../src/operators/intake/inline-intake.ts';
import type { ListingContext } from '../../src/operators/listings/listing-reader.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import type { OwnedBytes } from '../../src/worker-thread.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { openLoopbackClient } from '../support/loopback-client.ts';
import { plainContext } from '../support/plain-listing.ts';

const ACCOUNT = 'harbour';

/** What a restart keeps. */
export type Disk = Map<string, OwnedBytes>;

/** A connector with its account at an emulator, as the service would connect it. */
export function connectAccount({
  connector,
  emulator,
  entry = {},
  credentials = emulator.credentials,
  disk = new Map(),
  clock = systemClock,
}: {
  readonly connector: Connector;
  readonly emulator: Emulator;
  readonly entry?: object;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly disk?: Disk;
  readonly clock?: Clock;
}): BookingSystem {
  const env = Object.fromEntries(
    Object.entries(credentials).map(([name, secret]) => [credentialVariable(ACCOUNT, name), secret]),
  );
  const reading = connector.readEntry(
    { kind: connector.kind, account: ACCOUNT, url: emulator.url, ...entry },
    { env, directory: '.' },
  );
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  const { brand, places } = plainContext;
  const context: ListingContext = {
    ...plainContext,
    hosts: [emulator.websiteHost],
    stayUrl: `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}&guests={guests}`,
    placeAliases: new Map([['Lisbon', 'lisbon-pt']]),
  };
  const stored = (name: string): StoredDocument => ({
    read: async () => disk.get(name)?.slice(),
    save: async (document) => {
      disk.set(name, document);
    },
  });
  return reading.value({
    context,
    clock,
    openClient: openLoopbackClient,
    openAccount: createAccounts({ stored, clock, random: systemRandom }),
    intake: createInlineIntake({ places }),
    budget: DEFAULT_BRAND_BUDGET,
    stored: (name) => stored(`${brand}/${name}`),
    maxDocumentAgeMs: 300_000,
    onLastDocumentUsed: () => undefined,
  });
}
