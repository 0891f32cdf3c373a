import { addressSetFrom, isAmong } from '../reading/address.ts';
import type { AssistantId } from '../sessions/session.ts';
import { type AccessGateDependencies, createAccessGate } from './access-gate.ts';
import { type AccessDecision, type CallerFacts, headerText, type WayOfRecognition } from './caller-facts.ts';
import { type ClientAddress, createClientAddress } from './client-address.ts';
import { createConfirmedNames, liesUnder } from './confirmed-names.ts';
import { recognitionsByProof } from './recognitions-by-proof.ts';
import type { SignatureOutcome } from './signature-verifier.ts';

export type AccessExplanation = {
  readonly decision: AccessDecision;
  /** Every way of every assistant in the list, in the order in which the gate tries them. */
  readonly tried: readonly WayTried[];
};

export type WayTried = {
  readonly assistant: AssistantId;
  readonly way: WayOfRecognition;
  readonly outcome: 'recognised' | 'not_recognised';
  /** For the owner: what matched, or what is missing. */
  readonly why: string;
};

/** For an owner who wonders why a request was let in or refused: what the gate decides, and what each way says by itself. */
export async function explainAccess(
  facts: CallerFacts,
  deps: AccessGateDependencies,
): Promise<AccessExplanation> {
  const { signatures, ranges, reverseDns, networks } = recognitionsByProof(deps.accessList());
  const domains = reverseDns.flatMap((entry) => entry.domains);
  const client = createClientAddress(addressSetFrom(deps.trustedProxies))(facts);
  const { address } = client;
  const userAgent = headerText(facts, 'user-agent') ?? '';
  const signature = await deps.signatureVerifier?.(facts);
  const names =
    address && deps.resolver && reverseDns.some((entry) => entry.userAgent.test(userAgent))
      ? await createConfirmedNames({
          resolver: deps.resolver,
          domains: () => domains,
          clock: deps.clock,
        })(address)
      : [];
  const from = whereFrom(client);

  const tried: WayTried[] = [
    ...signatures.map(({ assistant, keysUrl }) => ({
      assistant: assistant.id,
      way: 'signature' as const,
      outcome: outcomeOf(signature?.kind === 'verified' && signature.keysUrl === keysUrl),
      why: whySigned(signature, keysUrl),
    })),
    ...ranges.map((entry) => {
      const hasToken = entry.userAgent.test(userAgent);
      const isInside = address !== undefined && isAmong(entry.ranges, address);
      return {
        assistant: entry.assistant.id,
        way: 'ranges' as const,
        outcome: outcomeOf(hasToken && isInside),
        why: `${tokenText(entry.token, hasToken)}; ${from} is ${isInside ? 'in' : 'not in'} its ranges`,
      };
    }),
    ...reverseDns.map((entry) => {
      const hasToken = entry.userAgent.test(userAgent);
      const name = names.find((one) => entry.domains.some((domain) => liesUnder(one, domain)));
      const said = name ? `${from} is ${name}, both ways` : `no name of ${from} in its domains was confirmed`;
      return {
        assistant: entry.assistant.id,
        way: 'reverse_dns' as const,
        outcome: outcomeOf(hasToken && name !== undefined),
        why: `${tokenText(entry.token, hasToken)}${hasToken ? `; ${said}` : ''}`,
      };
    }),
    ...networks.map((entry) => {
      const isInside = address !== undefined && isAmong(entry.networks, address);
      const isHidden = isInside && !client.provesNetwork;
      return {
        assistant: entry.assistant.id,
        way: 'network' as const,
        outcome: outcomeOf(isInside && !isHidden),
        why: isHidden
          ? `${from} is in its networks, but the request came through a proxy that is not listed or names no client`
          : `${from} is ${isInside ? 'in' : 'not in'} its networks`,
      };
    }),
  ];
  return { decision: await createAccessGate(deps)(facts), tried };
}

function outcomeOf(isRecognised: boolean): WayTried['outcome'] {
  return isRecognised ? 'recognised' : 'not_recognised';
}

function whereFrom({ address, text }: ClientAddress): string {
  return address ? text : 'an address that no listed proxy tells';
}

function tokenText(token: string, isThere: boolean): string {
  return `${token} is ${isThere ? 'in' : 'not in'} User-Agent`;
}

function whySigned(signature: SignatureOutcome | undefined, keysUrl: string): string {
  if (!signature) return 'signatures are not verified here';
  if (signature.kind === 'replayed') return 'its nonce was used before';
  if (signature.kind !== 'verified') return `${signature.kind}: ${signature.why.replaceAll('_', ' ')}`;
  return signature.keysUrl === keysUrl
    ? `signed with a key of ${keysUrl}`
    : `signed with a key of ${signature.keysUrl}`;
}
