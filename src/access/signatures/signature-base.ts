import {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
  serializeList,
} from 'structured-headers';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { anyDictionaryIn, itemIn, listIn } from './signature-headers.ts';

/** The parts of a request that can be signed. */
export type RequestParts = {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Host and port, in lower case, without the scheme's own port. */
  readonly authority: string;
  /** As in the request line: path and query, or a whole URL. */
  readonly target: string;
  /** Names in lower case. A list is a field that was sent several times. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The parts of a request before it is sent. */
export function partsOfRequestTo(
  url: URL,
  { method, headers }: Pick<RequestParts, 'method' | 'headers'>,
): RequestParts {
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  return { method, scheme, authority: url.host, target: `${url.pathname}${url.search}`, headers };
}

type SignatureBaseFault = 'component_unknown' | 'component_repeated' | 'base_too_long';

/** More than the headers that Node accepts, and small enough to hash for any stranger. */
const MAX_BASE_LENGTH = 32 * 1024;

/** The text that is signed (RFC 9421, 2.5): ASCII, a line for each component, the parameters last. */
export function signatureBase(
  input: InnerList,
  valueFor: ComponentValues,
): Reading<string, SignatureBaseFault> {
  const seen = new Set<string>();
  let base = '';
  for (const component of input[0]) {
    const value = valueFor(component);
    if (value === null) return invalid('component_unknown');
    const identifier = serializeItem(component);
    if (seen.has(identifier)) return invalid('component_repeated');
    seen.add(identifier);
    base += `${identifier}: ${value}\n`;
    if (base.length > MAX_BASE_LENGTH) return invalid('base_too_long');
  }
  return valid(`${base}"@signature-params": ${serializeInnerList(input)}`);
}

/**
 * The value of a component of a request. Null if the component is unknown, not in the request, or not of requests (`req`, `tr` and
 * `@status` are of responses and trailers). A component has at most one parameter, because those of RFC 9421 for requests exclude or repeat
 * each other.
 */
export type ComponentValues = (component: Item) => string | null;

/** Parses the query and each dictionary only once, because strangers choose how many components refer to them. */
export function componentValuesOf(request: RequestParts): ComponentValues {
  const { headers, target } = request;
  const dictionaries = new Map<string, Dictionary | null>();
  let queryParameters: ReadonlyMap<string, string | null> | undefined;

  return ([name, parameters]) => {
    if (typeof name !== 'string' || parameters.size > 1) return null;
    const [[parameter, argument] = []] = parameters;
    const value = name.startsWith('@')
      ? derivedValue(name, parameter, argument)
      : fieldValue(name, parameter, argument);
    return value !== null && LINE.test(value) ? value : null;
  };

  function derivedValue(name: string, parameter: string | undefined, argument: unknown): string | null {
    if (name === '@query-param') {
      if (parameter !== 'name' || typeof argument !== 'string') return null;
      queryParameters ??= queryParametersIn(target);
      return queryParameters.get(argument) ?? null;
    }
    if (parameter !== undefined || !Object.hasOwn(DERIVED, name)) return null;
    return DERIVED[name]?.(request) ?? null;
  }

  function fieldValue(name: string, parameter: string | undefined, argument: unknown): string | null {
    if (!FIELD_NAME.test(name) || !Object.hasOwn(headers, name)) return null;
    const sent = headers[name];
    if (sent === undefined) return null;
    const lines = (typeof sent === 'string' ? [sent] : sent).map(trimmed);
    const text = lines.join(', ');
    if (parameter === undefined) return text;
    if (parameter === 'key' && typeof argument === 'string') return memberValue(name, text, argument);
    if (argument !== true) return null;
    if (parameter === 'bs') return lines.map(asBytes).join(', ');
    if (parameter !== 'sf' || !Object.hasOwn(STRUCTURED_FIELDS, name)) return null;
    return STRUCTURED_FIELDS[name]?.(text) ?? null;
  }

  function memberValue(name: string, text: string, key: string): string | null {
    let dictionary = dictionaries.get(name);
    if (dictionary === undefined) {
      dictionary = anyDictionaryIn(text);
      dictionaries.set(name, dictionary);
    }
    const member = dictionary?.get(key);
    if (!member) return null;
    return written(() => (isInnerList(member) ? serializeInnerList(member) : serializeItem(member)));
  }
}

/** Field names of RFC 9110, in lower case as RFC 9421 signs them. */
const FIELD_NAME = /^[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** A value with other characters could begin a new line of the signature base. */
const LINE = /^[\x20-\x7e\t]*$/;

/** Fields of a known type, which can be signed in their strict form (`sf`). */
const STRUCTURED_FIELDS: Readonly<Record<string, (text: string) => string | null>> = {
  'accept-signature': strictDictionary,
  'cache-status': strictList,
  'client-cert': strictItem,
  'client-cert-chain': strictList,
  'content-digest': strictDictionary,
  'idempotency-key': strictItem,
  priority: strictDictionary,
  'proxy-status': strictList,
  'repr-digest': strictDictionary,
  signature: strictDictionary,
  'signature-agent': (text) => (text.startsWith('"') ? strictItem(text) : strictDictionary(text)),
  'signature-input': strictDictionary,
  'want-content-digest': strictDictionary,
  'want-repr-digest': strictDictionary,
};

const DERIVED: Readonly<Record<string, (request: RequestParts) => string>> = {
  '@method': ({ method }) => method,
  '@authority': ({ authority }) => authority,
  '@scheme': ({ scheme }) => scheme,
  '@target-uri': ({ scheme, authority, target }) => `${scheme}://${authority}${originForm(target)}`,
  '@request-target': ({ target }) => target,
  '@path': ({ target }) => pathInTarget(target),
  '@query': ({ target }) => queryInTarget(target),
};

/** Keyed by encoded name. A repeated name has no value: RFC 9421 forbids signing it, because readers would choose different values. */
function queryParametersIn(target: string): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  // Includes the question mark: the parser drops one, and a query may begin with another.
  for (const [name, value] of new URLSearchParams(queryInTarget(target))) {
    const encodedName = formEncoded(name);
    values.set(encodedName, values.has(encodedName) ? null : formEncoded(value));
  }
  return values;
}

/** The percent-encoding of `application/x-www-form-urlencoded`, with spaces as `%20`. */
function formEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

/** Removes leading and trailing white space, and line folding. */
function trimmed(line: string): string {
  return line.replace(/\r?\n[ \t]+/g, ' ').replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

/** Node gives the bytes of a field as the characters of Latin-1. */
function asBytes(line: string): string {
  return `:${Buffer.from(line, 'latin1').toString('base64')}:`;
}

function strictDictionary(text: string): string | null {
  const dictionary = anyDictionaryIn(text);
  return dictionary && written(() => serializeDictionary(dictionary));
}

function strictList(text: string): string | null {
  const list = listIn(text);
  return list && written(() => serializeList(list));
}

function strictItem(text: string): string | null {
  const item = itemIn(text);
  return item && written(() => serializeItem(item));
}

function written(write: () => string): string | null {
  try {
    return write();
  } catch {
    return null;
  }
}

/** The target without scheme and authority, which were checked before if the target has them. */
function originForm(target: string): string {
  const [whole, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (whole === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function pathInTarget(target: string): string {
  const form = originForm(target);
  const end = form.indexOf('?');
  return (end === -1 ? form : form.slice(0, end)) || '/';
}

/** With its question mark, which stands alone without a query. */
function queryInTarget(target: string): string {
  const form = originForm(target);
  const start = form.indexOf('?');
  return start === -1 ? '?' : form.slice(start);
}
