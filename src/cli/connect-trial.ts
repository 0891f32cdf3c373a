import type { Connector, OperatorAccess } from '../connectors/connector.ts';
import { describeNetwork, type NetworkSettings } from '../network/read-network.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { CliTools, ConnectOptions } from './command.ts';
import { settableMembers } from './connect-entry.ts';
import { type Discovery, discoveringIntake } from './discover-listings.ts';
import type { BrandInFile, NetworkDocument, PlaceInFile } from './edit-network-file.ts';
import { UsageFault } from './faults.ts';
import { GIVE_SECRETS } from './workspace.ts';

/** A brand as the network file might have it, connected. */
export type TriedBrand = {
  readonly system: BookingSystem;
  readonly network: NetworkSettings['network'];
  discovery(): Discovery;
};

/** Connects entries of a brand before they are written. All of them stay open until the trial ends, because they share an account. */
export type ConnectTrial = AsyncDisposable & {
  connect(brand: BrandInFile, places: readonly PlaceInFile[]): TriedBrand;
};

export function createConnectTrial({
  document,
  connector,
  surroundings,
  access,
  tools,
  ...options
}: Pick<TrialFile, 'document' | 'connector'> &
  Pick<ConnectOptions, 'store' | 'settings'> & {
    readonly surroundings: Parameters<typeof describeNetwork>[1];
    readonly access: OperatorAccess;
    readonly tools: Pick<CliTools, 'connectNetwork' | 'createIntake'>;
  }): ConnectTrial {
  const opened: { close(): Promise<void> }[] = [];
  return {
    connect(brand, places) {
      const settings = trialNetwork({ document, connector, brand, places }, surroundings);
      const { intake, discovery } = discoveringIntake(tools.createIntake(settings.network));
      opened.push(intake);
      const systems = tools.connectNetwork({ ...settings, ...options, intake, access });
      opened.push(...systems.values());
      const system = systems.get(brand.source);
      if (!system) throw new Error(`no booking system for ${brand.source}`);
      return { system, network: settings.network, discovery };
    },
    async [Symbol.asyncDispose]() {
      // Systems before the intakes that they read with.
      for (const one of opened.toReversed()) await one.close();
    },
  };
}

type TrialFile = {
  readonly document: NetworkDocument;
  readonly connector: Connector;
  readonly brand: BrandInFile;
  readonly places: readonly PlaceInFile[];
};

const SOMEWHERE = { id: 'somewhere', name: 'Somewhere', kind: 'city', time_zone: 'UTC', currency: 'EUR' };

/** The network with this one brand alone: what is wrong with others is none of its business. */
function trialNetwork(
  { document, connector, brand, places }: TrialFile,
  surroundings: Parameters<typeof describeNetwork>[1],
): NetworkSettings {
  const all = [...document.places, ...places];
  const reading = describeNetwork(
    { name: 'Trial', contact: 'nobody', places: all.length > 0 ? all : [SOMEWHERE], brands: [brand] },
    surroundings,
  );
  if (reading.kind === 'valid') return reading.value;
  const lacksSecretsOnly = reading.faults.every(({ isSecret }) => isSecret);
  const isOfSystem = reading.faults.some(({ pointer }) => pointer.startsWith('/brands/0/booking_system'));
  throw new UsageFault(
    reading.faults.map(({ pointer, message }) => `${pointer.replace('/brands/0', brand.source)}: ${message}`),
    lacksSecretsOnly
      ? GIVE_SECRETS
      : isOfSystem
        ? `give it with --set member=value; ${connector.kind} has ${settableMembers(connector).join(', ')}`
        : 'mend it in the network file, or see staywire connect --help',
  );
}
