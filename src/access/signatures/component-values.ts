import {
  type Dictionary,
  type Item,
  isInnerList,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
  serializeList,
} from 'structured-headers';
import { originForm, pathInTarget, queryInTarget, type RequestParts } from './request-parts.ts';
import { anyDictionaryIn, itemIn, listIn } from './structured-fields.ts';

/** RFC 9110, names of fields, but in lower case as RFC 9421 signs them. */
const FIELD_NAME = /^[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** A value with anything else could end its line of the signature base and begin another. */
const LINE = /^[\x20-\x7e\t]*$/;

/** Fields whose type is known, so that they can be signed in their strict form (`sf`); of others nobody can tell what that is. */
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

/**
 * The value of a component of a request, or null: the component is unknown, is not in the request, or does not belong to requests
 * (`req`, `tr` and `@status` are of responses and trailers). A component has at most one parameter, because those of RFC 9421 for
 * requests exclude or repeat each other.
 */
export type ComponentValues = (component: Item) => string | null;

/** Query and dictionaries are parsed once, however many components ask for parts of them: strangers choose the components. */
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

/**
 * By encoded name. A name that occurs twice has no value: RFC 9421 forbids to sign one, because readers would choose different
 * ones.
 */
function queryParametersIn(target: string): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  // With its question mark: the parser drops one, and a query may begin with another.
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

/** Leading and trailing white space does not count; nor does how a long line was folded. */
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
