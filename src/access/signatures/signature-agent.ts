import { type InnerList, type Item, isInnerList, Token } from 'structured-headers';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { dictionaryIn, itemIn, MAX_FIELD_LENGTH } from './structured-fields.ts';

/** Where a signer says that its keys are: a claim, until a key from there verifies its signature. */
export type AgentMember = { readonly uri: string; readonly type: string };

/**
 * `Signature-Agent`: a dictionary with a member for each signature, or, as deployments of earlier drafts still send it, a bare string.
 * A member that is not a string is left out.
 */
export type SignatureAgent =
  | { readonly form: 'string'; readonly member: AgentMember }
  | { readonly form: 'dictionary'; readonly members: ReadonlyMap<string, AgentMember> };

export type SignatureAgentFault = 'headers_too_long' | 'malformed';

/** Where an origin publishes its keys. */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
const DIRECTORY = 'directory';

export function readSignatureAgent(text: string): Reading<SignatureAgent, SignatureAgentFault> {
  if (text.length > MAX_FIELD_LENGTH) return invalid('headers_too_long');
  if (text.trimStart().startsWith('"')) {
    const item = itemIn(text);
    // The string form had no parameters, so one that has them is of no draft.
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
 * The address by which keys are known, or null where none can be had: of another kind than we read, not HTTPS, or, as a directory,
 * not an origin. Query and fragment do not count, so that one document has one name.
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
