import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { type CallerFacts, headerText } from '../caller-facts.ts';
import {
  isSignedBy,
  PUBLISHED_TEST_KEYS,
  type PublicKey,
  readPublicKey,
  type SignatureKey,
} from '../signatures/keys.ts';
import { type ComponentValues, componentValuesOf, signatureBase } from '../signatures/signature-base.ts';
import {
  type AgentMember,
  keysAddress,
  readSignatureAgent,
  readSignatures,
  type SignatureAgent,
  type SignatureMember,
} from '../signatures/signature-headers.ts';
import {
  coversAuthority,
  createRequestForUs,
  faultOfTimes,
  type InvalidSignature,
  isWebBotAuth,
  lastUseOf,
  NOT_SIGNED,
  type SignatureOutcome,
  type SignatureVerifier,
  type UnverifiedSignature,
} from './signature-rules.ts';
import type { UsedNonces } from './used-nonces.ts';

export type SignatureVerifierOptions = {
  /** The keys published at a URL in the form of `keysAddress`; undefined for a URL that is not registered. */
  readonly keysAt: (keysUrl: string) => readonly PublicKey[] | undefined;
  /** The origins under which callers reach us, such as `https://network.example`. */
  readonly origins: readonly string[];
  readonly nonces: UsedNonces;
  readonly clock: Clock;
};

/** The limit of verifications for a request, because strangers can send any number: enough for an assistant and signing intermediaries. */
const MAX_TRIED = 4;
/**
 * Web Bot Auth over HTTP Message Signatures. Each signature is verified separately, and the first verified one suffices: a sender could
 * have omitted the wrong ones, and an intermediary that changes a request rightly leaves a signature that no longer fits. But a request
 * consumes the nonces of all its right signatures, so that none can be used for another.
 */
export function createSignatureVerifier(options: SignatureVerifierOptions): SignatureVerifier {
  const { keysAt, nonces, clock } = options;
  const requestForUs = createRequestForUs(options.origins);
  const keyNamed = createKeyLookup();

  return async (facts) => {
    const texts = signatureTexts(facts);
    if (!texts) return NOT_SIGNED;
    const reading = readHeaders(texts);
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
    return best ?? NOT_SIGNED;
  };

  /** Cheap checks come first. The signature of an unknown signer is not judged. */
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
    const known = keyNamed(published, keyid);
    if (!known) return { kind: 'unverified', why: 'key_unknown' };
    if (known.kind === 'refused') return wrong(known.why);
    const fault = faultOf(signature, known.key);
    if (fault) return wrong(fault);
    if (!valueFor) return wrong('other_authority');
    const base = signatureBase(signature.input, valueFor);
    if (base.kind === 'invalid') return invalidFor(keysUrl, base.faults);
    const isRight = signature.signature !== null && isSignedBy(known.key, base.value, signature.signature);
    if (!isRight) return wrong('signature_wrong');
    return (await outcomeOfNonce(signature, keysUrl)) ?? { kind: 'verified', keysUrl, keyid };
  }

  function faultOf(signature: SignatureMember, key: SignatureKey): InvalidSignature | null {
    const { parameters } = signature;
    if (!signature.signature) return 'signature_missing';
    // The key determines the algorithm; a signature may only repeat it.
    if (parameters.names.has('alg') && parameters.alg !== key.algorithm) return 'alg_mismatch';
    if (!coversAuthority(signature)) return 'authority_not_covered';
    return faultOfTimes(parameters, clock.now() / 1000);
  }

  /** Null if the signature has no nonce, or a new one. Checked last, so that only right signatures are stored. */
  async function outcomeOfNonce(
    { parameters: { created, expires, keyid, nonce } }: SignatureMember,
    keysUrl: string,
  ): Promise<SignatureOutcome | null> {
    if (nonce === null || keyid === null || created === null || expires === null) return null;
    const name = hash('sha256', [keysUrl, keyid, nonce].join('\n'), 'base64url');
    // One second more, so that a nonce does not expire at the last moment at which it is accepted.
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
};

type ParsedHeaders = {
  /** The signatures for us to verify, in the order of `Signature-Input`. */
  readonly ours: readonly SignatureMember[];
  readonly agent: SignatureAgent | null;
};

/** Null for a request without a signature. */
function signatureTexts(facts: CallerFacts): SignatureTexts | null {
  const signatureInput = headerText(facts, 'signature-input');
  if (signatureInput === undefined) return null;
  const signature = headerText(facts, 'signature') ?? '';
  const agent = headerText(facts, 'signature-agent');
  return { signatureInput, signature, agent };
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

/** The outcome with the highest weight counts. */
const WEIGHT: Readonly<Record<SignatureOutcome['kind'], number>> = {
  unverified: 0,
  invalid: 1,
  verified: 2,
  replayed: 3,
};

function invalidFor(keysUrl: string | null, [why]: readonly InvalidSignature[]): SignatureOutcome {
  return { kind: 'invalid', why: why ?? 'malformed', keysUrl };
}

/** The location of the key that a signature claims, and whether the signature covers this claim. */
type ClaimedAgent =
  | { readonly kind: 'claimed'; readonly keysUrl: string; readonly isCovered: boolean }
  | { readonly kind: 'none'; readonly why: UnverifiedSignature };

/**
 * A signature belongs only to a member of `Signature-Agent` that it covers. If it covers several, as an intermediary's does, its own is the
 * one with its label. If it covers none, the apparent claim is returned as not covered, because the header may have been added to it.
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

type KnownKey =
  | { readonly kind: 'usable'; readonly key: SignatureKey }
  | { readonly kind: 'refused'; readonly why: InvalidSignature };

/** Looks a key up by its thumbprint. Each published key is read once, at the first signature that needs it. */
function createKeyLookup(): (published: readonly PublicKey[], keyid: string) => KnownKey | undefined {
  const read = new WeakMap<PublicKey, Reading<SignatureKey>>();

  return (published, keyid) => {
    for (const key of published) {
      const reading = read.get(key) ?? readPublicKey({ ...key });
      read.set(key, reading);
      // An unusable key counts as unpublished.
      if (reading.kind === 'invalid' || reading.value.keyid !== keyid) continue;
      return PUBLISHED_TEST_KEYS.has(keyid) ? TEST_KEY : { kind: 'usable', key: reading.value };
    }
    return undefined;
  };
}

/** Anyone can sign with keys that are printed in standards. */
const TEST_KEY: KnownKey = { kind: 'refused', why: 'test_key' };
