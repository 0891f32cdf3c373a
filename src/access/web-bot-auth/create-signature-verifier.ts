import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { PublicKey } from '../access-list.ts';
import { type CallerFacts, headerText } from '../caller-facts.ts';
import {
  type InvalidSignature,
  NOT_SIGNED,
  type SignatureOutcome,
  type SignatureVerifier,
  type UnverifiedSignature,
} from '../signature-verifier.ts';
import { isSignedBy } from '../signatures/algorithms.ts';
import { type ComponentValues, componentValuesOf } from '../signatures/component-values.ts';
import { readPublicKey, type SignatureKey } from '../signatures/keys.ts';
import { PUBLISHED_TEST_KEYS } from '../signatures/published-test-keys.ts';
import {
  type AgentMember,
  keysAddress,
  readSignatureAgent,
  type SignatureAgent,
} from '../signatures/signature-agent.ts';
import { signatureBase } from '../signatures/signature-base.ts';
import { readSignatures, type SignatureMember } from '../signatures/signature-headers.ts';
import type { UsedNonces } from '../used-nonces.ts';
import { createRequestForUs } from './request-for-us.ts';
import { coversAuthority, faultOfTimes, isWebBotAuth, lastUseOf } from './signature-rules.ts';
import { createVerifiedSignatures, nameOf } from './verified-signatures.ts';

/** Where a signature says that its key is, and whether it covers the words that say so. */
type ClaimedAgent =
  | { readonly kind: 'claimed'; readonly keysUrl: string; readonly isCovered: boolean }
  | { readonly kind: 'none'; readonly why: UnverifiedSignature };

/**
 * A signature is attributed to a member of `Signature-Agent` that it covers and to no other. Where it covers those of several signatures,
 * as that of an intermediary does, its own is the one with its label. Without any, what it seems to claim is given too: somebody may
 * have added the header to it.
 */
function claimedAgent(signature: SignatureMember, agent: SignatureAgent | null): ClaimedAgent {
  if (!agent) return { kind: 'none', why: 'no_agent' };
  if (agent.form === 'string') return claimed(agent.member, coversWholeHeader(signature));

  const covered = coveredMembers(signature);
  if (covered.length > 1 && !covered.includes(signature.label))
    return { kind: 'none', why: 'agent_ambiguous' };
  if (covered.length > 0) {
    const key = covered.includes(signature.label) ? signature.label : covered[0];
    return claimed(agent.members.get(key ?? ''), true);
  }
  const [only] = agent.members.size === 1 ? agent.members.values() : [];
  return claimed(agent.members.get(signature.label) ?? only, false);
}

function claimed(member: AgentMember | undefined, isCovered: boolean): ClaimedAgent {
  const keysUrl = member ? keysAddress(member) : null;
  return keysUrl === null
    ? { kind: 'none', why: 'agent_unreadable' }
    : { kind: 'claimed', keysUrl, isCovered };
}

function coversWholeHeader({ components }: SignatureMember): boolean {
  return components.some(([name, { size }]) => name === 'signature-agent' && size === 0);
}

function coveredMembers({ components }: SignatureMember): readonly string[] {
  return components.flatMap(([name, parameters]) => {
    const key = parameters.get('key');
    return name === 'signature-agent' && typeof key === 'string' ? [key] : [];
  });
}

/** Each may cost a verification, and strangers can send as many as they like: an assistant, and intermediaries that sign too. */
const MAX_TRIED = 4;
/** An agent that uses a signature again has few at a time. */
const MAX_PARSED = 1000;
/** Longer ones are parsed each time, so that whoever has a signature cannot fill the memory with what surrounds it. */
const MAX_PARSED_LENGTH = 3000;

export type SignatureVerifierOptions = {
  /** The keys that are published at an address, which is in the form of `keysAddress`; undefined for one that is not registered. The same list means the same keys. */
  readonly keysAt: (keysUrl: string) => readonly PublicKey[] | undefined;
  /** The addresses under which callers reach us, such as `https://network.example`. */
  readonly origins: readonly string[];
  readonly nonces: UsedNonces;
  readonly clock: Clock;
};

/**
 * Web Bot Auth over HTTP Message Signatures. Of several signatures each is judged by itself, and one that is verified suffices, the first of
 * them: whoever holds that request could as well have left out those that are wrong, and an intermediary that changes a request rightly
 * leaves behind a signature that no longer fits. But all that are right are used up by the request, so that none of them is good for another.
 */
export function createSignatureVerifier(options: SignatureVerifierOptions): SignatureVerifier & {
  readonly remembered: () => number;
} {
  const { keysAt, nonces, clock } = options;
  const requestForUs = createRequestForUs(options.origins);
  const ringOf = createKeyRings();
  const verified = createVerifiedSignatures(clock);
  /** Of headers that were verified: to parse them takes longer than all the rest of a signature that is used again. */
  const parsed = new LRUCache<string, ParsedHeaders>({ max: MAX_PARSED });

  const verify: SignatureVerifier = async (facts) => {
    const texts = signatureTexts(facts);
    if (!texts) return NOT_SIGNED;
    const known = parsed.get(texts.all);
    const reading = known ? valid(known) : readHeaders(texts);
    if (reading.kind === 'invalid') return invalidFor(null, reading.faults);
    const { ours, agent } = reading.value;
    if (ours.length === 0) return NOT_SIGNED;
    const request = requestForUs(facts);
    const valueFor = request && componentValuesOf(request);

    let best: SignatureOutcome | null = null;
    for (const signature of ours) {
      const outcome = await verifyOne(signature, agent, valueFor);
      if (!best || WEIGHT[outcome.kind] > WEIGHT[best.kind]) best = outcome;
    }
    const mayBeUsedAgain =
      best?.kind === 'verified' &&
      texts.all.length <= MAX_PARSED_LENGTH &&
      ours.every(({ parameters }) => parameters.nonce === null);
    if (!known && mayBeUsedAgain) parsed.set(texts.all, reading.value);
    return best ?? NOT_SIGNED;
  };
  return Object.assign(verify, { remembered: () => verified.size });

  /** What costs nothing comes first. Of a signer that we do not know nothing is judged. */
  async function verifyOne(
    signature: SignatureMember,
    agent: SignatureAgent | null,
    valueFor: ComponentValues | null,
  ): Promise<SignatureOutcome> {
    const { parameters } = signature;
    const claim = claimedAgent(signature, agent);
    if (claim.kind === 'none') return { kind: 'unverified', why: claim.why };
    const { keysUrl } = claim;
    const published = keysAt(keysUrl);
    if (!published) return { kind: 'unverified', why: 'agent_unknown' };
    const wrong = (why: InvalidSignature) => invalidFor(keysUrl, [why]);
    if (!claim.isCovered) return wrong('agent_not_covered');
    const { keyid } = parameters;
    if (keyid === null) return wrong('keyid_missing');
    const ring = ringOf(published);
    const known = ring.keys.get(keyid);
    if (!known) return { kind: 'unverified', why: 'key_unknown' };
    if (known.kind === 'refused') return wrong(known.why);
    const fault = faultOf(signature, known.key);
    if (fault) return wrong(fault);
    if (!valueFor) return wrong('other_authority');
    const base = signatureBase(signature.input, valueFor);
    if (base.kind === 'invalid') return invalidFor(keysUrl, base.faults);
    if (!isRight(signature, { keysUrl, ring, key: known.key, base: base.value }))
      return wrong('signature_wrong');
    return (await outcomeOfNonce(signature, keysUrl)) ?? { kind: 'verified', keysUrl, keyid };
  }

  function faultOf(signature: SignatureMember, key: SignatureKey): InvalidSignature | null {
    const { parameters } = signature;
    if (!signature.signature) return 'signature_missing';
    // The key alone decides which algorithm it is for; a signature may repeat that, and nothing else.
    if (parameters.names.has('alg') && parameters.alg !== key.algorithm) return 'alg_mismatch';
    if (!coversAuthority(signature)) return 'authority_not_covered';
    return faultOfTimes(parameters, clock.now() / 1000);
  }

  function isRight(
    { signature, parameters }: SignatureMember,
    facts: {
      readonly keysUrl: string;
      readonly ring: KeyRing;
      readonly key: SignatureKey;
      readonly base: string;
    },
  ): boolean {
    const { keysUrl, ring, key, base } = facts;
    const { nonce, expires } = parameters;
    if (!signature || expires === null) return false;
    if (nonce !== null) return isSignedBy(key, base, signature);
    const name = nameOf({ keysUrl, keyid: key.keyid, ringSerial: ring.serial, base, signature });
    if (verified.has(name)) return true;
    if (!isSignedBy(key, base, signature)) return false;
    verified.add(name, Math.max(1, expires * 1000 - clock.now()));
    return true;
  }

  /** Null when the signature has no nonce, or a new one. Asked last, so that only true signatures are remembered. */
  async function outcomeOfNonce(
    { parameters: { created, expires, keyid, nonce } }: SignatureMember,
    keysUrl: string,
  ): Promise<SignatureOutcome | null> {
    if (nonce === null || keyid === null || created === null || expires === null) return null;
    const name = hash('sha256', [keysUrl, keyid, nonce].join('\n'), 'base64url');
    // One second more, so that a nonce is never forgotten at the very moment at which it is accepted for the last time.
    const keepMs = Math.ceil((lastUseOf(created, expires) + 1) * 1000 - clock.now());
    try {
      return (await nonces.claim(keysUrl, name, keepMs)) ? null : { kind: 'replayed', keysUrl, keyid };
    } catch {
      return { kind: 'unverified', why: 'nonces_unavailable' };
    }
  }
}

type SignatureTexts = {
  readonly signatureInput: string;
  readonly signature: string;
  readonly agent: string | undefined;
  readonly all: string;
};

type ParsedHeaders = {
  /** Those that are for us to verify, in the order of `Signature-Input`. */
  readonly ours: readonly SignatureMember[];
  readonly agent: SignatureAgent | null;
};

/** Null for a request without a signature. */
function signatureTexts(facts: CallerFacts): SignatureTexts | null {
  const signatureInput = headerText(facts, 'signature-input');
  if (signatureInput === undefined) return null;
  const signature = headerText(facts, 'signature') ?? '';
  const agent = headerText(facts, 'signature-agent');
  // No header has a line break, and one that is missing is not an empty one.
  return { signatureInput, signature, agent, all: [signatureInput, signature, agent ?? '\n'].join('\n') };
}

function readHeaders({
  signatureInput,
  signature,
  agent,
}: SignatureTexts): Reading<ParsedHeaders, InvalidSignature> {
  const signatures = readSignatures({ signatureInput, signature });
  if (signatures.kind === 'invalid') return signatures;
  const ours = signatures.value.filter(isWebBotAuth);
  if (ours.length > MAX_TRIED) return invalid('too_many_signatures');
  if (ours.length === 0 || agent === undefined) return valid({ ours, agent: null });
  const agentReading = readSignatureAgent(agent);
  return agentReading.kind === 'invalid' ? agentReading : valid({ ours, agent: agentReading.value });
}

/** Which of several outcomes counts. */
const WEIGHT: Readonly<Record<SignatureOutcome['kind'], number>> = {
  unverified: 0,
  invalid: 1,
  verified: 2,
  replayed: 3,
};

function invalidFor(keysUrl: string | null, [why]: readonly InvalidSignature[]): SignatureOutcome {
  return { kind: 'invalid', why: why ?? 'malformed', keysUrl };
}

/** The keys of one document by their thumbprints, or why one of them is not used. */
type KeyRing = {
  /** No other ring has it, not even one of the same keys. */
  readonly serial: number;
  readonly keys: ReadonlyMap<string, KeyInRing>;
};

type KeyInRing =
  | { readonly kind: 'usable'; readonly key: SignatureKey }
  | { readonly kind: 'refused'; readonly why: InvalidSignature };

/** Keys are read once for each list of them that is handed in, at the first signature that needs one. */
function createKeyRings() {
  const rings = new WeakMap<readonly PublicKey[], KeyRing>();
  let made = 0;

  return (published: readonly PublicKey[]): KeyRing => {
    const known = rings.get(published);
    if (known) return known;
    made += 1;
    const ring = { serial: made, keys: new Map(published.flatMap(keyInRing)) };
    rings.set(published, ring);
    return ring;
  };

  function keyInRing(published: PublicKey): readonly (readonly [string, KeyInRing])[] {
    const reading = readPublicKey({ ...published });
    // Of a key that nobody should use nothing is known, as of one that was never published.
    if (reading.kind === 'invalid') return [];
    const { keyid } = reading.value;
    const isTestKey = PUBLISHED_TEST_KEYS.has(keyid);
    return [[keyid, isTestKey ? TEST_KEY : { kind: 'usable', key: reading.value }]];
  }
}

/** Anybody can sign with keys that are printed in standards. */
const TEST_KEY: KeyInRing = { kind: 'refused', why: 'test_key' };
