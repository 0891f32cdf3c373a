import { type AccessList, createAccessKeeper, createKeysAt } from '../access/access-list.ts';
import { createAddressedToUs } from '../access/addressed-to-us.ts';
import { type CallerFacts, headerText, refusedForHost } from '../access/caller-facts.ts';
import { type AccessExplanation, explainAccess } from '../access/explain-access.ts';
import type { DocumentStatus } from '../access/published/followed-document.ts';
import type { PublishedObserver } from '../access/published/published-document.ts';
import type { PublishedDocuments } from '../access/published/published-documents.ts';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import { createDnsResolver } from '../access/reverse-dns.ts';
import { originsOf } from '../access/web-bot-auth/signature-rules.ts';
import { createSignatureVerifier } from '../access/web-bot-auth/signature-verifier.ts';
import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import type { CliTools } from '../cli/command.ts';
import { UsageFault } from '../cli/faults.ts';
import { showPage } from '../cli/show-page.ts';
import { webPlatform } from '../client/client-options.ts';
import { type Clock, pauseFor } from '../clock.ts';
import type { AccountPatience } from '../connectors/shared/account/accounts.ts';
import { createIntakeThreads } from '../connectors/shared/intake/intake-threads.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { createClientOpener } from '../outbound/operator-client.ts';
import { createRequestSigner, readOwnIdentity } from '../outbound/own-identity.ts';
import type { Random } from '../random.ts';
import {
  isInUse,
  migrateEmbedded,
  openNetworkDocuments,
  openOwnerStore,
  openStoredDocuments,
  STORES,
} from '../storage/stores.ts';
import { readConfiguration, readNetworkSettings, withStoredNetwork } from './configuration.ts';
import { connectNetwork, openOperatorAccess } from './connect-network.ts';
import { openRegisteredAssistants } from './registered-assistants.ts';
import { readSettings, type Settings } from './settings.ts';
import { copiesOf, openPublished, type PublishedSettings } from './who-may-call.ts';

const MAX_ACCOUNT_WAIT_MS = 60_000;

/** The parts of the program that commands use at a terminal. */
export function createCliTools(
  outside: Pick<
    CliTools,
    'env' | 'directory' | 'terminal' | 'clock' | 'random' | 'signal' | 'readInput' | 'serve' | 'serveMcp'
  >,
): CliTools {
  const { terminal, clock, random, signal } = outside;
  const patience = (maxWaitMs: number): AccountPatience => ({
    maxWaitMs,
    onWait: (account, milliseconds) =>
      terminal.note(`Waiting ${Math.ceil(milliseconds / 1000)} s: the limit of ${account} …`),
  });
  // Requests of commands to operators are signed like those of the service.
  const signerFor = (settings: Parameters<typeof readOwnIdentity>[0]) => {
    const reading = readOwnIdentity(settings);
    if (reading.kind === 'invalid') throw new UsageFault(reading.faults);
    const { identity, warnings } = reading.value;
    for (const warning of warnings) terminal.note(warning);
    return identity ? createRequestSigner(identity, { clock, random }) : undefined;
  };
  return {
    ...outside,
    readSettings,
    readNetworkSettings,
    readConfiguration: (env) => readConfiguration(env),
    connectNetwork: ({ settings, maxAccountWaitMs = MAX_ACCOUNT_WAIT_MS, ...network }) =>
      connectNetwork({
        ...network,
        patience: patience(maxAccountWaitMs),
        operatorNetworks: settings.operatorNetworks,
        sign: network.access ? undefined : signerFor(settings),
        maxDocumentAgeMs: settings.rateCardMaxAgeSeconds * 1000,
        onLastDocumentUsed: (brand, failure) =>
          terminal.note(`${brand}: its document cannot be read (${failure.kind}); the last one is used.`),
        onNightsLost: (brand, reference, { lost, of }) =>
          terminal.note(
            `${brand}: a feed of ${reference} has lost ${lost} of ${of} taken nights, which stay taken for now.`,
          ),
        clock,
        random,
      }),
    openOperatorAccess: ({ store, settings }) =>
      openOperatorAccess({
        store,
        operatorNetworks: settings.operatorNetworks,
        sign: signerFor(settings),
        patience: patience(MAX_ACCOUNT_WAIT_MS),
        clock,
        random,
      }),
    openClient: (operatorNetworks) =>
      createClientOpener({ addresses: createAllowedAddresses(operatorNetworks), clock }),
    createIntake: ({ places }) => createIntakeThreads({ places, clock }),
    openInventory: async ({ dataDirectory }) => {
      const storage = await STORES.sqlite({
        directory: dataDirectory,
        rateRule: { limit: 1, windowMs: 1 },
        report: (warning) => terminal.note(warning),
      });
      return { inventory: storage.inventory, close: () => storage.close() };
    },
    openDocuments: async ({ dataDirectory }) => openStoredDocuments(dataDirectory),
    openOwnerStore,
    openNetworkDocuments: (url) => openNetworkDocuments({ url }),
    withStoredNetwork: (env) => withStoredNetwork(env),
    openRegistry: (env) => openRegisteredAssistants(env),
    judgeCaller: (question) => judgeCaller(question, { clock, random, signal }),
    publishedSoFar(question) {
      const { published } = lookAtPublished(question, { clock, random });
      try {
        return published.status();
      } finally {
        published.stop();
      }
    },
    migrateStore: (request) =>
      migrateEmbedded({ ...request, signal, report: (warning) => terminal.note(warning) }),
    isServing: ({ dataDirectory }) => isInUse(dataDirectory),
    sendHttp: webPlatform.fetch,
    showPage: (address) => showPage(address, { clock }),
  };
}

/** How long to wait for the fetch of a document. */
const MAX_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** A trial uses up no nonce. */
const ALL_NEW: UsedNonces = { claim: async () => true };

/** Judges a request as a service with these settings would, with its copies of the documents that assistants publish. */
async function judgeCaller(
  {
    registry,
    settings,
    facts,
    rawHeaders,
  }: {
    readonly registry: AssistantRegistry;
    readonly settings: PublishedSettings &
      Pick<Settings, 'trustedNetworks' | 'trustedProxies' | 'publicUrl' | 'hosts'>;
    readonly facts: CallerFacts;
    /** Names and values in turn, with repeated headers. */
    readonly rawHeaders: readonly string[];
  },
  { clock, random, signal }: { readonly clock: Clock; readonly random: Random; readonly signal: AbortSignal },
): Promise<AccessExplanation & { readonly published: readonly DocumentStatus[] }> {
  const { list, published } = lookAtPublished({ registry, settings }, { clock, random });
  try {
    await untilFetched(published, clock, signal);
    const { decision, ...explanation } = await explainAccess(facts, {
      accessList: list,
      trustedProxies: settings.trustedProxies,
      signatureVerifier: createSignatureVerifier({
        keysAt: createKeysAt(list),
        origins: originsOf(settings),
        nonces: ALL_NEW,
        clock,
      }),
      resolver: createDnsResolver({ clock }),
      clock,
    });
    const isForUs = createAddressedToUs(settings)({
      headers: { host: headerText(facts, 'host') },
      rawHeaders: [...rawHeaders],
      method: facts.method,
      url: facts.target,
    });
    return {
      ...explanation,
      decision: isForUs ? decision : refusedForHost(facts.peerAddress),
      published: published.status(),
    };
  } finally {
    published.stop();
  }
}

/** Waits for documents of which this machine has no usable copy, or only the shipped one. */
async function untilFetched(published: PublishedDocuments, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.elapsed() + MAX_WAIT_MS;
  const isAwaited = () =>
    published
      .status()
      .some(
        ({ isTooOld, source, lastFailure }) => (isTooOld || source === 'snapshot') && lastFailure === null,
      );
  while (isAwaited() && clock.elapsed() < until && !signal.aborted) {
    await pauseFor(LOOK_EVERY_MS, clock, signal);
  }
}

const UNWATCHED: PublishedObserver = {
  snapshotsUsed: () => {},
  fetched: () => {},
  failed: () => {},
  tooOld: () => {},
};

/**
 * The published documents that a service with these settings would use if it started now. Until it is stopped, it fetches due
 * documents too, but does not store them: the stored copies belong to a service that may be running.
 */
function lookAtPublished(
  {
    registry,
    settings,
  }: {
    readonly registry: AssistantRegistry;
    readonly settings: PublishedSettings & Pick<Settings, 'trustedNetworks'>;
  },
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): { readonly list: () => AccessList; readonly published: PublishedDocuments } {
  const { read } = copiesOf(settings, () => {});
  const published = openPublished({
    settings,
    copies: { read, write: () => {}, keepOnly: () => {} },
    observe: UNWATCHED,
    clock,
    random,
  });
  const { list } = createAccessKeeper(registryFor(registry, settings.trustedNetworks), published, {
    isCertain: false,
  });
  return { list, published };
}
