import type { InventoryStore } from '../availability/inventory-store.ts';
import type { Connector } from '../connectors/connector.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { describeNetwork, type NetworkSettings } from '../network/read-network.ts';
import type { CliSettings, CliTools, ConnectOptions } from './command.ts';
import { settableMembers } from './connect-entry.ts';
import { discoveringIntake } from './discover-listings.ts';
import { UsageFault } from './faults.ts';
import type { BrandInFile, NetworkDocument } from './network-file.ts';
import { GIVE_SECRETS } from './workspace.ts';

/** Connects the entry of a brand before it is written to the network file. */
export function connectTrial(
  trial: TrialFile,
  surroundings: Parameters<typeof describeNetwork>[1],
  options: Pick<ConnectOptions, 'store' | 'settings'>,
  tools: Pick<CliTools, 'connectNetwork' | 'createIntake'>,
) {
  const settings = trialNetwork(trial, surroundings);
  const { intake, discovery } = discoveringIntake(tools.createIntake(settings.network));
  const systems = tools.connectNetwork({ ...settings, ...options, intake });
  const system = systems.get(trial.brand.source);
  if (!system) throw new Error(`no booking system for ${trial.brand.source}`);
  return {
    system,
    network: settings.network,
    discovery,
    async [Symbol.asyncDispose](): Promise<void> {
      // Close the system before the intake that it uses.
      await system.close();
      await intake.close();
    },
  };
}

type TrialFile = {
  readonly document: NetworkDocument;
  readonly connector: Connector;
  readonly brand: BrandInFile;
};

const SOMEWHERE = { id: 'somewhere', name: 'Somewhere', kind: 'city', time_zone: 'UTC', currency: 'EUR' };

/** A network with this brand alone, so that faults of other brands do not stop the trial. */
function trialNetwork(
  { document, connector, brand }: TrialFile,
  surroundings: Parameters<typeof describeNetwork>[1],
): NetworkSettings {
  const reading = describeNetwork(
    {
      name: 'Trial',
      contact: 'nobody',
      places: document.places.length > 0 ? document.places : [SOMEWHERE],
      brands: [brand],
    },
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

type Documents = Pick<InventoryStore, 'document' | 'saveDocument'> &
  AsyncDisposable & {
    /** A service uses the store. */
    readonly isInUse: boolean;
  };

/**
 * Opens the store for the tokens of accounts, because vendors limit how many tokens they issue. While a service uses the store, its tokens
 * are read and no new one is requested: a vendor may then revoke the service's own token, and the new one would end with this command.
 */
export async function openDocumentsFor(
  { openInventory, openDocuments }: Pick<CliTools, 'openInventory' | 'openDocuments'>,
  settings: CliSettings,
): Promise<Documents> {
  try {
    const { inventory, close } = await openInventory(settings);
    return {
      document: (name) => inventory.document(name),
      saveDocument: (name, document) => inventory.saveDocument(name, document),
      isInUse: false,
      [Symbol.asyncDispose]: close,
    };
  } catch (failure) {
    const isInUse = failure instanceof Error && 'kind' in failure && failure.kind === 'in_use';
    if (!isInUse) throw failure;
    const stored = await openDocuments(settings);
    const written = new Map<string, Uint8Array<ArrayBuffer>>();
    return {
      document: async (name) => {
        const bytes = written.get(name) ?? (await stored.document(name));
        return bytes && new Uint8Array(bytes);
      },
      async saveDocument(name, document) {
        if (name.startsWith('account/')) {
          throw new BookingSystemFailure(
            'overloaded',
            'a new token is needed, and only the running service may ask for one: try again in a minute, or stop the service',
          );
        }
        written.set(name, new Uint8Array(document));
      },
      isInUse: true,
      [Symbol.asyncDispose]: () => stored.close(),
    };
  }
}
