import { type InnerList, type Item, isInnerList } from 'structured-headers';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { dictionaryIn, MAX_FIELD_LENGTH } from './structured-fields.ts';

/** One signature of a request, as it is described; nothing about it was verified. */
export type SignatureMember = {
  readonly label: string;
  /** Components and parameters, in the order in which they were signed. */
  readonly input: InnerList;
  readonly components: readonly Item[];
  readonly parameters: SignatureParameters;
  /** Null where `Signature` has no bytes under the label. */
  readonly signature: Uint8Array | null;
};

/** Null for a parameter that is missing or of another type than RFC 9421 gives it. */
export type SignatureParameters = {
  /** Epoch seconds. */
  readonly created: number | null;
  /** Epoch seconds. */
  readonly expires: number | null;
  readonly keyid: string | null;
  readonly nonce: string | null;
  readonly tag: string | null;
  readonly alg: string | null;
  /** The names of those that were sent, whatever their type. */
  readonly names: ReadonlySet<string>;
};

export type SignatureHeadersFault =
  | 'headers_too_long'
  | 'malformed'
  | 'too_many_signatures'
  | 'too_many_components';

/** The signer, two or three intermediaries, and as many again. */
export const MAX_LABELS = 8;
export const MAX_COMPONENTS = 32;

/** All signatures in the order of `Signature-Input`. */
export function readSignatures(headers: {
  readonly signatureInput: string;
  readonly signature: string;
}): Reading<readonly SignatureMember[], SignatureHeadersFault> {
  const { signatureInput, signature } = headers;
  if (Math.max(signatureInput.length, signature.length) > MAX_FIELD_LENGTH)
    return invalid('headers_too_long');
  const inputs = dictionaryIn(signatureInput);
  const signatures = dictionaryIn(signature);
  if (!inputs || !signatures) return invalid('malformed');
  if (Math.max(inputs.size, signatures.size) > MAX_LABELS) return invalid('too_many_signatures');

  const members: SignatureMember[] = [];
  for (const [label, input] of inputs) {
    if (!isInnerList(input)) return invalid('malformed');
    const [components, parameters] = input;
    if (components.length > MAX_COMPONENTS) return invalid('too_many_components');
    const bytes = signatures.get(label)?.[0];
    members.push({
      label,
      input,
      components,
      parameters: parametersIn(parameters),
      signature: bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : null,
    });
  }
  return valid(members);
}

function parametersIn(parameters: InnerList[1]): SignatureParameters {
  const text = (name: string) => {
    const value = parameters.get(name);
    return typeof value === 'string' ? value : null;
  };
  const seconds = (name: string) => {
    const value = parameters.get(name);
    return typeof value === 'number' && Number.isInteger(value) ? value : null;
  };
  return {
    created: seconds('created'),
    expires: seconds('expires'),
    keyid: text('keyid'),
    nonce: text('nonce'),
    tag: text('tag'),
    alg: text('alg'),
    names: new Set(parameters.keys()),
  };
}
