import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, addressSetFrom } from './address.ts';
import type { Assistant, AssistantRegistry } from './assistant-registry.ts';
import { isBrowserNavigation } from './browser-navigation.ts';
import { type AccessDecision, type CallerFacts, headerText, type RefusalReason } from './caller-facts.ts';
import { type ClientAddress, createClientAddress } from './client-address.ts';
import { createConfirmedNames, liesUnder } from './confirmed-names.ts';
import type { Resolver } from './resolver.ts';
import type { SignatureOutcome, SignatureVerifier } from './signature-verifier.ts';
import { waysOfRecognition } from './ways-of-recognition.ts';

/** A plain value unless a name server or a signature had to be asked. */
export type AccessGate = (facts: CallerFacts) => AccessDecision | Promise<AccessDecision>;

const VERDICTS_REMEMBERED = 10_000;
/** Longer ones are judged anew each time, so that the memory cannot be filled with them. */
const MAX_REMEMBERED_USER_AGENT = 300;
const ABSENT: SignatureOutcome = { kind: 'absent' };

/**
 * The first proof decides, in this order: signature, User-Agent token with published ranges, User-Agent token with reverse
 * DNS, trusted network. It also decides against: a suspended assistant is not saved by a weaker proof of another one.
 */
export function createAccessGate(deps: {
  readonly registry: AssistantRegistry;
  /** Addresses or networks whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Without one, signatures are ignored. */
  readonly signatureVerifier?: SignatureVerifier;
  /** Without one, nobody is recognised by reverse DNS. */
  readonly resolver?: Resolver;
  readonly clock: Clock;
}): AccessGate {
  const { signatureVerifier, resolver, clock } = deps;
  const clientAddressOf = createClientAddress(addressSetFrom(deps.trustedProxies));
  const ways = waysOfRecognition(deps.registry);
  const domains = ways.reverseDns.flatMap((way) => way.domains);
  const confirmedNames = resolver && createConfirmedNames({ resolver, domains, clock });
  const verdicts = new LRUCache<string, AccessDecision>({ max: VERDICTS_REMEMBERED });

  return (facts) => {
    const client = clientAddressOf(facts);
    const signature = signatureOf(facts);
    return signature instanceof Promise
      ? signature.then((outcome) => judge(facts, client, outcome))
      : judge(facts, client, signature);
  };

  function signatureOf(facts: CallerFacts): SignatureOutcome | Promise<SignatureOutcome> {
    if (!signatureVerifier) return ABSENT;
    const { signature, 'signature-input': input } = facts.headers;
    return signature === undefined && input === undefined ? ABSENT : signatureVerifier(facts);
  }

  function judge(
    facts: CallerFacts,
    client: ClientAddress,
    signature: SignatureOutcome,
  ): AccessDecision | Promise<AccessDecision> {
    if (signature.kind === 'verified') {
      const way = ways.signatures.find(({ agent }) => agent === signature.agent);
      if (way) return verdictOn(way.assistant, client);
    }
    if (isBrowserNavigation(facts)) return refusal('end_user_access', client);
    const { address } = client;
    if (signature.kind === 'invalid' || !address) return refusal('not_approved', client);

    const userAgent = headerText(facts, 'user-agent') ?? '';
    // The address holds no space, so two different callers never share a key.
    const key = `${client.provesNetwork ? '+' : '-'}${client.text} ${userAgent}`;
    return verdicts.get(key) ?? recognise(client, address, userAgent, key);
  }

  function recognise(
    client: ClientAddress,
    address: Address,
    userAgent: string,
    key: string,
  ): AccessDecision | Promise<AccessDecision> {
    const inRange = ways.ranges.find((way) => way.userAgent.test(userAgent) && way.ranges.has(address));
    const nameClaims = ways.reverseDns.filter((way) => way.userAgent.test(userAgent));

    if (!inRange && confirmedNames && nameClaims.length > 0) {
      const judgeNames = (names: readonly string[]): AccessDecision => {
        const claim = nameClaims.find((way) =>
          way.domains.some((domain) => names.some((name) => liesUnder(name, domain))),
        );
        return claim ? verdictOn(claim.assistant, client) : verdictByNetwork(client, address);
      };
      // Not remembered here: what the name servers said expires on its own terms.
      const names = confirmedNames(address);
      return names instanceof Promise ? names.then(judgeNames) : judgeNames(names);
    }

    const verdict = inRange ? verdictOn(inRange.assistant, client) : verdictByNetwork(client, address);
    if (userAgent.length <= MAX_REMEMBERED_USER_AGENT) verdicts.set(key, verdict);
    return verdict;
  }

  function verdictByNetwork(client: ClientAddress, address: Address): AccessDecision {
    const way = client.provesNetwork && ways.networks.find(({ networks }) => networks.has(address));
    return way ? verdictOn(way.assistant, client) : refusal('not_approved', client);
  }
}

function verdictOn({ id, status }: Assistant, client: ClientAddress): AccessDecision {
  if (status === 'suspended') return refusal('not_approved', client);
  return { approved: true, assistant: id, address: client.text };
}

function refusal(reason: RefusalReason, client: ClientAddress): AccessDecision {
  return { approved: false, reason, address: client.text };
}
