import { type Clock, pauseFor } from '../clock.ts';
import { addressSetFrom, isAmong } from '../parsing/ip-address.ts';
import type { AssistantId } from '../sessions/session.ts';
import { type AccessGateDependencies, createAccessGate, recognitionsByProof } from './access-gate.ts';
import { type AccessList, createKeysAt } from './access-list.ts';
import {
  type AccessDecision,
  type CallerFacts,
  type ClientAddress,
  createAddressedToUs,
  createClientAddress,
  headerText,
  refusedForHost,
  type WayOfRecognition,
} from './caller-facts.ts';
import type { DocumentStatus, PublishedDocuments } from './published/published-documents.ts';
import type { Assistant } from './registry/assistant-registry.ts';
import { createConfirmedNames, createDnsResolver, liesUnder } from './reverse-dns.ts';
import {
  NOT_SIGNED,
  originsOf,
  type SignatureOutcome,
  type UnverifiedSignature,
} from './web-bot-auth/signature-rules.ts';
import { createSignatureVerifier } from './web-bot-auth/signature-verifier.ts';
import type { UsedNonces } from './web-bot-auth/used-nonces.ts';

export type AccessExplanation = {
  readonly decision: AccessDecision;
  /** Every way of every assistant in the list, in the order in which the gate tries them. */
  readonly tried: readonly WayTried[];
  /** The outcome for its signature. */
  readonly signature: SignatureOutcome;
};

export type WayTried = {
  readonly assistant: AssistantId;
  readonly way: WayOfRecognition;
  readonly outcome: 'recognised' | 'not_recognised';
  /** For the owner: the match, or the missing part. */
  readonly why: string;
};

const NO_ADDRESS = 'from which address it comes is not known';
/** Only a published list can lack ranges. */
const NO_RANGES = 'its ranges are not known, never fetched or too long ago';
const UNVERIFIED: Readonly<Record<UnverifiedSignature, string>> = {
  no_signature: 'it is not signed',
  no_agent: 'its signature names no signer',
  agent_ambiguous: 'its signature names more than one signer',
  agent_unreadable: 'the signer that it names cannot be read',
  agent_unknown: 'it names another signer, whose keys are not known',
  key_unknown: 'its signer does not publish the key that it was signed with',
  nonces_unavailable: 'it is not known whether its nonce was used before',
};

/** Explains to the owner why a request is approved or refused: the gate's decision, and the result of each way of recognition. */
export async function explainAccess(
  facts: CallerFacts,
  deps: AccessGateDependencies,
): Promise<AccessExplanation> {
  const list = deps.accessList();
  const client = createClientAddress(addressSetFrom(deps.trustedProxies))(facts);
  const { address } = client;
  const signature = deps.signatureVerifier ? await deps.signatureVerifier(facts) : NOT_SIGNED;
  const { signatures, ranges, reverseDns, networks } = recognitionsByProof(list);
  const userAgent = String(facts.headers['user-agent'] ?? '');
  const domains = reverseDns.flatMap((entry) => entry.domains);
  const names =
    address && deps.resolver && reverseDns.some((entry) => entry.userAgent.test(userAgent))
      ? await createConfirmedNames({ resolver: deps.resolver, clock: deps.clock })(address, domains)
      : [];
  const tried: WayTried[] = [
    ...signatures.map(({ assistant, keysUrl }) => {
      const hasKeys = list.keys.some(({ url }) => url === keysUrl);
      const isSigner = signature.kind === 'verified' && signature.keysUrl === keysUrl;
      return wayTried(assistant, 'signature', isSigner, whySigned(signature, keysUrl, hasKeys));
    }),
    ...ranges.map(({ assistant, token, userAgent: pattern, ranges: own }) => {
      const hasToken = pattern.test(userAgent);
      const isInside = address !== undefined && isAmong(own, address);
      const place =
        own.ipv4.length + own.ipv6.length === 0 ? NO_RANGES : placeText(client, isInside, 'ranges');
      return wayTried(assistant, 'ranges', hasToken && isInside, `${tokenText(token, hasToken)}; ${place}`);
    }),
    ...reverseDns.map(({ assistant, token, userAgent: pattern, domains: own }) => {
      const hasToken = pattern.test(userAgent);
      const name = names.find((one) => own.some((domain) => liesUnder(one, domain)));
      const why = `${tokenText(token, hasToken)}${hasToken ? `; ${nameText(client, name)}` : ''}`;
      return wayTried(assistant, 'reverse_dns', hasToken && name !== undefined, why);
    }),
    ...networks.map(({ assistant, networks: own }) => {
      const isInside = address !== undefined && isAmong(own, address);
      const isHidden = isInside && !client.provesNetwork;
      const why = isHidden
        ? `${client.text} is in its networks, but the request came through a proxy that is not listed or names no client`
        : placeText(client, isInside, 'networks');
      return wayTried(assistant, 'network', isInside && !isHidden, why);
    }),
  ];
  const gate = createAccessGate({ ...deps, signatureVerifier: async () => signature });
  return { decision: await gate(facts), tried, signature };
}

function wayTried(assistant: Assistant, way: WayOfRecognition, isRecognised: boolean, why: string): WayTried {
  return { assistant: assistant.id, way, outcome: isRecognised ? 'recognised' : 'not_recognised', why };
}

function placeText({ address, text }: ClientAddress, isInside: boolean, place: string): string {
  return address ? `${text} is ${isInside ? 'in' : 'not in'} its ${place}` : NO_ADDRESS;
}

function nameText({ address, text }: ClientAddress, name: string | undefined): string {
  if (!address) return NO_ADDRESS;
  return name ? `${text} is ${name}, both ways` : `no name of ${text} in its domains was confirmed`;
}

function tokenText(token: string, isThere: boolean): string {
  return `${token} is ${isThere ? 'in' : 'not in'} User-Agent`;
}

function whySigned(signature: SignatureOutcome, keysUrl: string, hasKeys: boolean): string {
  if (signature.kind === 'unverified') {
    return signature.why === 'agent_unknown' && !hasKeys
      ? `its keys are not known, never fetched from ${keysUrl} or too long ago`
      : UNVERIFIED[signature.why];
  }
  if (signature.keysUrl !== null && signature.keysUrl !== keysUrl) {
    return `it is signed for another one, whose keys are at ${signature.keysUrl}`;
  }
  if (signature.kind === 'replayed') return 'its nonce was used before';
  return signature.kind === 'invalid'
    ? `its signature is refused: ${signature.why.replaceAll('_', ' ')}`
    : `signed with a key of ${keysUrl}`;
}

/** How long to wait for the fetch of a document. */
const MAX_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** A trial uses up no nonce. */
const ALL_NEW: UsedNonces = { claim: async () => true };

/** Judges a request as a service with these settings would. Stops the published documents afterwards. */
export async function judgeCaller({
  list,
  published,
  settings,
  facts,
  rawHeaders,
  clock,
  signal,
}: {
  readonly list: () => AccessList;
  readonly published: PublishedDocuments;
  readonly settings: {
    readonly trustedProxies: readonly string[];
    readonly publicUrl: string | null;
    readonly hosts: readonly string[];
  };
  readonly facts: CallerFacts;
  /** Names and values in turn, with repeated headers. */
  readonly rawHeaders: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<AccessExplanation & { readonly published: readonly DocumentStatus[] }> {
  try {
    await untilFetched(published, clock, signal);
    const { decision, ...explanation } = await explainAccess(facts, {
      accessList: list,
      trustedProxies: settings.trustedProxies,
      signatureVerifier: createSignatureVerifier({
        keysAt: createKeysAt(list, clock),
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

/** Waits for documents of which this machine has no usable copy. */
async function untilFetched(published: PublishedDocuments, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.elapsed() + MAX_WAIT_MS;
  const isAwaited = () =>
    published.status().some(({ isTooOld, lastFailure }) => isTooOld && lastFailure === null);
  while (isAwaited() && clock.elapsed() < until && !signal.aborted) {
    await pauseFor(LOOK_EVERY_MS, clock, signal);
  }
}
