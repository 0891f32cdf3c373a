import { createAddressedToUs } from '../access/addressed-to-us.ts';
import { type CallerFacts, headerText, refusedForHost } from '../access/caller-facts.ts';
import { createDnsResolver } from '../access/dns-resolver.ts';
import { type AccessExplanation, explainAccess } from '../access/explain-access.ts';
import type { DocumentStatus } from '../access/published/followed-document.ts';
import type { PublishedDocuments } from '../access/published/published-documents.ts';
import type { AssistantRegistry } from '../access/registry/assistant-registry.ts';
import type { UsedNonces } from '../access/used-nonces.ts';
import { createSignatureVerifier } from '../access/web-bot-auth/create-signature-verifier.ts';
import { createKeysAt } from '../access/web-bot-auth/keys-at.ts';
import { originsOf } from '../access/web-bot-auth/request-for-us.ts';
import { type Clock, pauseFor } from '../clock.ts';
import type { Random } from '../random.ts';
import type { PublishedSettings } from './open-published.ts';
import { lookAtPublished } from './open-published.ts';
import type { Settings } from './settings.ts';

/** As long as a document may take to come. */
const MAX_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** A request that is only looked at uses up nothing. */
const ALL_NEW: UsedNonces = { claim: async () => true };

/** What a service with these settings would say to a request, by the copies that it has of what assistants publish. */
export async function judgeCaller(
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
    /** Names and values in turn, also of headers that are there twice. */
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

/** Only for documents of which there is no copy that counts, or only the one that was shipped. */
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
