import type { InventoryStore } from '../availability/inventory-store.ts';
import type { Connector, OperatorAccess } from '../connectors/connector.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { RequestBudget } from '../limits/request-budget.ts';
import { describeNetwork, type NetworkSettings } from '../network/read-network.ts';
import type { OperatorClient, OperatorRequest } from '../outbound/operator-client.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { CliSettings, CliTools, ConnectOptions } from './command.ts';
import { settableMembers } from './connect-entry.ts';
import { discoveringIntake } from './discover-listings.ts';
import { UsageFault } from './faults.ts';
import type { BrandInFile, NetworkDocument, PlaceInFile } from './network-file.ts';
import { GIVE_SECRETS } from './workspace.ts';

/** Connects entries of a brand before they are written to the network file. All stay open until the trial ends, because they share an account. */
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
  }) {
  const opened: { close(): Promise<void> }[] = [];
  return {
    connect(brand: BrandInFile, places: readonly PlaceInFile[]) {
      const settings = trialNetwork({ document, connector, brand, places }, surroundings);
      const { intake, discovery } = discoveringIntake(tools.createIntake(settings.network));
      opened.push(intake);
      const systems = tools.connectNetwork({ ...settings, ...options, intake, access });
      opened.push(...systems.values());
      const system = systems.get(brand.source);
      if (!system) throw new Error(`no booking system for ${brand.source}`);
      return { system, network: settings.network, discovery };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      // Close the systems before the intakes that they use.
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

/** A network with this brand alone, so that faults of other brands do not stop the trial. */
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

type ClientAnswer = Awaited<ReturnType<OperatorClient['send']>>;
type RecordedAnswer =
  | { readonly kind: 'answer'; readonly answer: ClientAnswer }
  | { readonly kind: 'failure'; readonly failure: unknown };

const FREE = { done: () => undefined };

/** Reads the catalogue of a vendor once for two booking systems that map it differently. */
export function createCatalogueRecording({ openClient, openAccount, feedPace }: OperatorAccess) {
  const recorded = new Map<string, RecordedAnswer>();
  let phase: 'live' | 'recording' | 'replay' = 'live';
  let budget: RequestBudget | undefined;

  async function record(key: string, sent: Promise<ClientAnswer>): Promise<ClientAnswer> {
    try {
      const answer = await sent;
      recorded.set(key, { kind: 'answer', answer: copyOf(answer) });
      return answer;
    } catch (failure) {
      recorded.set(key, { kind: 'failure', failure });
      throw failure;
    }
  }

  /** For a request that the first reading did not make: it still has to take from the budget. */
  async function sendWithinBudget(
    send: () => Promise<ClientAnswer>,
    signal: AbortSignal,
  ): Promise<ClientAnswer> {
    const permit = await budget?.take({ urgency: 'background', withinMs: Number.POSITIVE_INFINITY, signal });
    try {
      return await send();
    } finally {
      permit?.done();
    }
  }

  async function during<T>(wanted: typeof phase, work: () => Promise<T>): Promise<T> {
    phase = wanted;
    try {
      return await work();
    } finally {
      phase = 'live';
    }
  }

  const access: OperatorAccess = {
    openClient(settings) {
      const client = openClient(settings);
      return {
        send(request, options) {
          const key = keyOf(settings.baseUrl, request);
          const send = () => client.send(request, options);
          if (phase === 'recording') return record(key, send());
          if (phase === 'live') return send();
          const known = recorded.get(key);
          if (!known) return sendWithinBudget(send, options.signal);
          recorded.delete(key);
          return known.kind === 'answer' ? Promise.resolve(known.answer) : Promise.reject(known.failure);
        },
        close: () => client.close(),
      };
    },
    openAccount(terms) {
      const account = openAccount(terms);
      const shared = account.budget;
      budget = shared;
      return {
        ...account,
        budget: {
          ...shared,
          take: (options) => (phase === 'replay' ? Promise.resolve(FREE) : shared.take(options)),
        },
      };
    },
    feedPace,
  };
  return {
    access,
    /** Reads its catalogue from the vendor, and stores the answers. */
    whileRecording: (system: BookingSystem): BookingSystem => ({
      ...system,
      catalogue: (...options) => during('recording', () => system.catalogue(...options)),
    }),
    /** Reads its catalogue from the stored answers, at no cost to the account. Each answer is used once. */
    fromRecording: (system: BookingSystem): BookingSystem => ({
      ...system,
      catalogue: (...options) => during('replay', () => system.catalogue(...options)),
    }),
  };
}

function keyOf(baseUrl: string, { method, path, body = '' }: OperatorRequest): string {
  return [method, baseUrl, path, body].join('\n');
}

/** A copy, because the first reader transfers the bytes to a worker. */
function copyOf(answer: ClientAnswer): ClientAnswer {
  return answer.kind === 'document' ? { ...answer, bytes: answer.bytes.slice() } : answer;
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
