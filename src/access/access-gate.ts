import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, type AddressSet, addressSetFrom, isAmong } from '../parsing/ip-address.ts';
import type { AssistantId } from '../sessions/session.ts';
import type { AccessList } from './access-list.ts';
import {
  type AccessDecision,
  type CallerFacts,
  type ClientAddress,
  createClientAddress,
  isBrowser,
  looksLikeBrowser,
  type RefusalCause,
  type WayOfRecognition,
} from './caller-facts.ts';
import type { Assistant } from './registry/assistant-registry.ts';
import { createConfirmedNames, liesUnder, type Resolver } from './reverse-dns.ts';
import { NOT_SIGNED, type SignatureVerifier } from './web-bot-auth/signature-rules.ts';

export type AccessGate = (facts: CallerFacts) => Promise<AccessDecision>;

/** A decision by facts that stay the same from request to request. */
type Recognised = { readonly decision: AccessDecision; readonly isByNetworkAlone: boolean };

/** One access list with the decisions made by it. A new list begins without decisions. */
type Judgement = {
  readonly list: AccessList;
  readonly recognitions: RecognitionsByProof;
  /** All domains by which assistants are recognised. */
  readonly domains: readonly string[];
  readonly decisions: LRUCache<string, Recognised>;
};

const MAX_CACHED_DECISIONS = 2000;
/** Decisions on callers with a longer User-Agent are not cached, so that such headers cannot fill the memory. */
const MAX_CACHED_USER_AGENT = 300;

export type AccessGateDependencies = {
  /** The current list. A new one takes effect with the next request. */
  readonly accessList: () => AccessList;
  /** Addresses or networks whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Without one, signatures are ignored. */
  readonly signatureVerifier?: SignatureVerifier;
  /** Without one, reverse DNS proves nothing. */
  readonly resolver?: Resolver;
  readonly clock: Clock;
};

/**
 * The first proof decides, in this order: signature, User-Agent token with published ranges, User-Agent token with reverse DNS, trusted
 * network. A suspended assistant is refused by its proof, even if a later one would approve the caller. A caller approved by its network
 * alone must not look like a browser.
 */
export function createAccessGate(deps: AccessGateDependencies): AccessGate {
  const { signatureVerifier, resolver, clock } = deps;
  const clientAddressOf = createClientAddress(addressSetFrom(deps.trustedProxies));
  let latest = judgementBy(deps.accessList());
  const confirmedNames = resolver && createConfirmedNames({ resolver, clock });

  return async (facts) => {
    const list = deps.accessList();
    if (list !== latest.list) latest = judgementBy(list);
    const judgement = latest;
    const { recognitions } = judgement;
    const client = clientAddressOf(facts);
    const { headers } = facts;
    const isSigned = headers.signature !== undefined || headers['signature-input'] !== undefined;
    const signature = signatureVerifier && isSigned ? await signatureVerifier(facts) : NOT_SIGNED;
    if (signature.kind === 'verified') {
      const entry = recognitions.signatures.find(({ keysUrl }) => keysUrl === signature.keysUrl);
      if (entry) return decisionOn(entry.assistant, 'signature', client);
    }
    if (isBrowser(facts)) return refused('browser', client);
    if (signature.kind === 'invalid' || signature.kind === 'replayed') {
      const claimed = recognitions.signatures.find(({ keysUrl }) => keysUrl === signature.keysUrl);
      const cause = signature.kind === 'invalid' ? 'invalid_signature' : 'replayed_signature';
      return refused(cause, client, claimed?.assistant.id ?? null);
    }
    const { address } = client;
    if (!address) return refused('unknown_address', client);

    const userAgent = String(headers['user-agent'] ?? '');
    // An address contains no space, so different callers never share a key.
    const key = `${client.provesNetwork ? '+' : '-'}${client.text} ${userAgent}`;
    const recognised =
      judgement.decisions.get(key) ?? (await recognise(judgement, client, address, userAgent, key));
    if (recognised.isByNetworkAlone && looksLikeBrowser(facts)) return refused('browser', client);
    return recognised.decision;
  };

  async function recognise(
    { recognitions, domains, decisions }: Judgement,
    client: ClientAddress,
    address: Address,
    userAgent: string,
    key: string,
  ): Promise<Recognised> {
    const inRange = recognitions.ranges.find(
      (entry) => entry.userAgent.test(userAgent) && isAmong(entry.ranges, address),
    );
    const byName = recognitions.reverseDns.filter((entry) => entry.userAgent.test(userAgent));

    if (!inRange && confirmedNames && byName.length > 0) {
      // Not cached here: confirmed names have their own expiry.
      const names = await confirmedNames(address, domains);
      const named = byName.find((entry) =>
        entry.domains.some((domain) => names.some((name) => liesUnder(name, domain))),
      );
      return named
        ? byProof(named.assistant, 'reverse_dns', client)
        : byNetwork(recognitions, client, address);
    }

    const recognised = inRange
      ? byProof(inRange.assistant, 'ranges', client)
      : byNetwork(recognitions, client, address);
    if (userAgent.length <= MAX_CACHED_USER_AGENT) decisions.set(key, recognised);
    return recognised;
  }
}

function judgementBy(list: AccessList): Judgement {
  const recognitions = recognitionsByProof(list);
  return {
    list,
    recognitions,
    domains: recognitions.reverseDns.flatMap((entry) => entry.domains),
    decisions: new LRUCache({ max: MAX_CACHED_DECISIONS }),
  };
}

function byNetwork({ networks }: RecognitionsByProof, client: ClientAddress, address: Address): Recognised {
  const entry = client.provesNetwork && networks.find((one) => isAmong(one.networks, address));
  const decision = entry ? decisionOn(entry.assistant, 'network', client) : refused('unknown_caller', client);
  return { decision, isByNetworkAlone: decision.kind === 'approved' };
}

function byProof(assistant: Assistant, way: WayOfRecognition, client: ClientAddress): Recognised {
  return { decision: decisionOn(assistant, way, client), isByNetworkAlone: false };
}

function decisionOn({ id, status }: Assistant, way: WayOfRecognition, client: ClientAddress): AccessDecision {
  if (status === 'suspended') return refused('suspended', client, id, way);
  return { kind: 'approved', assistant: id, way, address: client.text };
}

function refused(
  cause: RefusalCause,
  client: ClientAddress,
  assistant: AssistantId | null = null,
  way: WayOfRecognition | null = null,
): AccessDecision {
  const reason = cause === 'browser' ? 'end_user_access' : 'not_approved';
  return { kind: 'refused', reason, cause, assistant, way, address: client.text };
}

/** The ways of recognition of all assistants by kind of proof, in the order of the file. */
type RecognitionsByProof = {
  readonly signatures: readonly { readonly assistant: Assistant; readonly keysUrl: string }[];
  readonly ranges: readonly {
    readonly assistant: Assistant;
    readonly token: string;
    readonly userAgent: RegExp;
    readonly ranges: AddressSet;
  }[];
  readonly reverseDns: readonly {
    readonly assistant: Assistant;
    readonly token: string;
    readonly userAgent: RegExp;
    readonly domains: readonly string[];
  }[];
  readonly networks: readonly { readonly assistant: Assistant; readonly networks: AddressSet }[];
};

export function recognitionsByProof({ assistants }: Pick<AccessList, 'assistants'>): RecognitionsByProof {
  const all = assistants.flatMap((assistant) => assistant.recognisedBy.map((way) => ({ assistant, way })));
  return {
    signatures: all.flatMap(({ assistant, way }) =>
      way.kind === 'signature' ? [{ assistant, keysUrl: way.keysUrl }] : [],
    ),
    ranges: all.flatMap(({ assistant, way }) =>
      way.kind === 'ranges'
        ? [{ assistant, token: way.userAgent, userAgent: tokenPattern(way.userAgent), ranges: way.ranges }]
        : [],
    ),
    reverseDns: all.flatMap(({ assistant, way }) =>
      way.kind === 'reverse_dns'
        ? [{ assistant, token: way.userAgent, userAgent: tokenPattern(way.userAgent), domains: way.domains }]
        : [],
    ),
    networks: all.flatMap(({ assistant, way }) =>
      way.kind === 'network' ? [{ assistant, networks: way.networks }] : [],
    ),
  };
}

/** Matches the whole product token: `Claude-User` is in `Claude-User/1.0`, not in `Claude-Users`. */
function tokenPattern(token: string): RegExp {
  return new RegExp(`(?<![\\w-])${token.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`, 'i');
}
