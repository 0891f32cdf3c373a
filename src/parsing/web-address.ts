import { isIP, isIPv4 } from 'node:net';
import { invalid, type Reading, valid } from './reading.ts';

/** Completes the sentence "<address> …". */
export type AddressFault =
  | 'is too long'
  | 'is not a whole address'
  | 'must begin with https://'
  | 'must not carry a user name or password'
  | 'must name its host, not give a number'
  | 'is not on a host registered for the brand'
  | 'has a path that cannot be decoded'
  | 'is under /ai/'
  | 'must not have a fragment'
  | 'must not have a query or a fragment'
  | 'has a character that addresses do not need';

type WebAddress = Reading<string, AddressFault>;

// Language models read addresses too: so they may not hold a page of prose, or characters that could end a quotation.
const MAX_LENGTH = 500;
const PLAIN_ADDRESS = /^[A-Za-z0-9\-._~/?&=%+,:;@![\]]+$/;

/**
 * Checks an address for travellers: https (http on this machine only), on a host registered for the brand, and not under `/ai/`, which
 * is for assistants.
 */
export function userFacingAddress(
  text: string,
  registeredHosts: readonly string[],
  maxLength: number = MAX_LENGTH,
): WebAddress {
  if (text.length > maxLength) return invalid('is too long');
  const parsed = parsedAddress(text);
  if (parsed.kind === 'invalid') return parsed;
  const url = parsed.value;
  if (!registeredHosts.includes(url.host)) return invalid('is not on a host registered for the brand');
  const path = plainPath(url);
  if (path === undefined) return invalid('has a path that cannot be decoded');
  if (path === '/ai' || path.startsWith('/ai/')) return invalid('is under /ai/');
  if (url.hash !== '') return invalid('must not have a fragment');
  if (url.href.length > maxLength) return invalid('is too long');
  if (!PLAIN_ADDRESS.test(url.href)) return invalid('has a character that addresses do not need');
  return valid(url.href);
}

const MAX_DECODINGS = 4;

/** The readable words of an address, decoded in a limited number of rounds. */
export function wordsOfAddress(address: string): string {
  const { pathname, search } = new URL(address);
  // A plus after a word is a blank; elsewhere it is a plus sign.
  let said = `${pathname} ${search}`.replace(/(?<=[A-Za-z0-9])\+/g, ' ');
  for (let round = 0; round < MAX_DECODINGS && said.includes('%'); round += 1) said = decodedOnce(said);
  return said;
}

/** Decodes run by run, so that one that is not text does not hide the others. */
function decodedOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}

/** The base address of a server to call. Paths are appended to it, so it ends without a slash. */
export function serverAddress(text: string): WebAddress {
  const parsed = parsedAddress(text);
  if (parsed.kind === 'invalid') return parsed;
  const url = parsed.value;
  if (url.search !== '' || url.hash !== '') return invalid('must not have a query or a fragment');
  return valid(url.href.replace(/\/+$/, ''));
}

/** The address of a document to fetch. It may have a query. */
export function documentAddress(text: string): WebAddress {
  const parsed = parsedAddress(text);
  if (parsed.kind === 'invalid') return parsed;
  const url = parsed.value;
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.hash === '' ? valid(url.href) : invalid('must not have a fragment');
}

/** Equal for addresses on one server: the host, or an empty text without one; on this machine, which may run servers of several brands, the port. */
export function serverOf(address: string): string {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/\.$/, '') ?? '';
  return isLoopback(host) ? `localhost:${url?.port}` : host;
}

/** `host` or `host:port`, normalised as `URL` does; `undefined` for anything else. */
export function registeredHost(text: string): string | undefined {
  // No scheme, path or user name.
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  const url = URL.parse(`https://${text}/`);
  if (!url) return undefined;
  // `URL` drops the default port, which depends on the scheme: http on this machine, https elsewhere.
  if (isLoopback(url.hostname)) return URL.parse(`http://${text}/`)?.host;
  return isIP(bare(url.hostname)) === 0 ? url.host : undefined;
}

function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  if (isIPv4(host)) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1';
}

function parsedAddress(text: string): Reading<URL, AddressFault> {
  const url = URL.parse(text);
  if (!url) return invalid('is not a whole address');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return invalid('must begin with https://');
  }
  if (url.username !== '' || url.password !== '') return invalid('must not carry a user name or password');
  if (isIP(bare(url.hostname)) !== 0 && !isLoopback(url.hostname)) {
    return invalid('must name its host, not give a number');
  }
  return valid(url);
}

/** Normalised as servers might do it, so that /%61i/ and //AI/ are recognised as /ai/. */
function plainPath(url: URL): string | undefined {
  try {
    return decodeURIComponent(url.pathname)
      .replace(/[/\\]+/g, '/')
      .toLowerCase();
  } catch {
    return undefined;
  }
}

function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const MAIL_ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** A contact as a URI: from an e-mail address, or an https, mailto or tel address. */
export function readContact(text: string): Reading<string> {
  if (/^(mailto|tel):[!-~]+$/.test(text)) return valid(text);
  if (MAIL_ADDRESS.test(text)) return valid(`mailto:${encodeURI(text)}`);
  const url = /^https:\/\//i.test(text) ? URL.parse(text) : null;
  return url ? valid(url.href) : invalid('an e-mail address, or an https, mailto or tel address');
}
