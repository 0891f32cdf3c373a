import {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  parseItem,
  parseList,
  Token,
} from 'structured-headers';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';

/** One signature of a request, unverified. */
export type SignatureMember = {
  readonly label: string;
  /** Components and parameters, in signed order. */
  readonly input: InnerList;
  readonly components: readonly Item[];
  readonly parameters: SignatureParameters;
  /** Null if `Signature` has no bytes under the label. */
  readonly signature: Uint8Array | null;
};

/** Null for a parameter that is missing or has the wrong type. */
export type SignatureParameters = {
  /** Epoch seconds. */
  readonly created: number | null;
  /** Epoch seconds. */
  readonly expires: number | null;
  readonly keyid: string | null;
  readonly nonce: string | null;
  readonly tag: string | null;
  readonly alg: string | null;
  /** The names of all sent parameters, of any type. */
  readonly names: ReadonlySet<string>;
};

type SignatureHeadersFault = 'headers_too_long' | 'malformed' | 'too_many_signatures' | 'too_many_components';

/** Enough for the signer and two or three intermediaries, doubled. */
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

/** The location of a signer's keys: a claim, until a key from there verifies the signature. */
export type AgentMember = { readonly uri: string; readonly type: string };

/**
 * `Signature-Agent`: a dictionary with a member for each signature, or, as deployments of earlier drafts still send it, a bare string.
 * Other members are ignored.
 */
export type SignatureAgent =
  | { readonly form: 'string'; readonly member: AgentMember }
  | { readonly form: 'dictionary'; readonly members: ReadonlyMap<string, AgentMember> };

type SignatureAgentFault = 'headers_too_long' | 'malformed';

/** The path at which an origin publishes its keys. */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
const DIRECTORY = 'directory';

export function readSignatureAgent(text: string): Reading<SignatureAgent, SignatureAgentFault> {
  if (text.length > MAX_FIELD_LENGTH) return invalid('headers_too_long');
  if (text.trimStart().startsWith('"')) {
    const item = itemIn(text);
    // The string form has no parameters in any draft.
    const isBare = item !== null && item[1].size === 0 && typeof item[0] === 'string';
    return isBare
      ? valid({ form: 'string', member: { uri: item[0] as string, type: DIRECTORY } })
      : invalid('malformed');
  }
  const dictionary = dictionaryIn(text);
  if (!dictionary) return invalid('malformed');
  const members = new Map<string, AgentMember>();
  for (const [key, value] of dictionary) {
    const member = memberIn(value);
    if (member) members.set(key, member);
  }
  return valid({ form: 'dictionary', members });
}

function memberIn(value: Item | InnerList): AgentMember | null {
  if (isInnerList(value)) return null;
  const [uri, parameters] = value;
  const type = parameters.get('type') ?? DIRECTORY;
  if (typeof uri !== 'string') return null;
  if (type instanceof Token) return { uri, type: type.toString() };
  return type === DIRECTORY && !parameters.has('type') ? { uri, type } : null;
}

/**
 * The URL that identifies a key document. Null if the kind is unknown, the URL is not HTTPS, or a directory is not an origin. Drops query
 * and fragment, so that a document has one name.
 */
export function keysAddress({ uri, type }: AgentMember): string | null {
  const url = URL.parse(uri);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  if (type === 'jwks_uri') return `${url.origin}${url.pathname}`;
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '';
  return type === DIRECTORY && isOrigin ? directoryOf(url.origin) : null;
}

/** The directory of an origin. */
export function directoryOf(origin: string): string {
  return `${origin}${KEY_DIRECTORY_PATH}`;
}

/** Longer fields are not parsed: four RSA signatures of 4,096 bits take less. */
const MAX_FIELD_LENGTH = 8192;
/** The characters of a structured field. Others could begin a new line of the signature base. */
const PRINTABLE = /^[\x20-\x7e\t]*$/;

/** Null for a text that is no dictionary, is too long, or repeats a member, because readers would choose different ones. */
function dictionaryIn(text: string): Dictionary | null {
  if (!isParsable(text)) return null;
  const members = countMembers(text);
  const dictionary = parsedOrNull(parseDictionary, text);
  return dictionary?.size === members ? dictionary : null;
}

/** Accepts a repeated member, as RFC 8941 does, in fields that are not ours to judge. */
export function anyDictionaryIn(text: string): Dictionary | null {
  return isParsable(text) ? parsedOrNull(parseDictionary, text) : null;
}

export function listIn(text: string) {
  return isParsable(text) ? parsedOrNull(parseList, text) : null;
}

export function itemIn(text: string): Item | null {
  return isParsable(text) ? parsedOrNull(parseItem, text) : null;
}

function isParsable(text: string): boolean {
  return text.length <= MAX_FIELD_LENGTH && PRINTABLE.test(text);
}

function parsedOrNull<Parsed>(parse: (text: string) => Parsed, text: string): Parsed | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/**
 * The number of members of a dictionary, with repeated ones: one more than the commas outside of strings. -1 for a display string, which
 * has another quoting and does not occur in these fields.
 */
function countMembers(text: string): number {
  let members = text.trim() === '' ? 0 : 1;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString && character === '\\') index += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === ',') members += 1;
    else if (!isInString && character === '%' && text[index + 1] === '"') return -1;
  }
  return members;
}
