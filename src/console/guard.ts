import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type AddressedToUs, createAddressedTo } from '../access/caller-facts.ts';
import type { AnswerToBrokenHttp } from '../limits/connection-limits.ts';
import { addressSetFrom, isAmong, LOOPBACK_NETWORKS, parseAddress } from '../parsing/ip-address.ts';

/** No external content, no inline code, no frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Sent with every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex',
};

/**
 * Whether a form was sent from a page of the console. Browsers send `Sec-Fetch-Site`, which works behind a proxy with another name too;
 * older ones send `Origin`, which must name this host. A request with neither is no browser with our form.
 */
export function isFromOwnPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || host === undefined) return false;
  return (
    origin.toLowerCase() === `http://${host}`.toLowerCase() ||
    origin.toLowerCase() === `https://${host}`.toLowerCase()
  );
}

export function isSameToken(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `console` signs in while the browser is open; `known` proves later that it was signed in before. */
type CookieKind = 'console' | 'known';
type CookieRequest = Pick<IncomingMessage, 'socket' | 'headers'>;

const KNOWN_FOR_SECONDS = 365 * 24 * 60 * 60;
const SCOPE_OF_COOKIE: Readonly<Record<CookieKind, readonly string[]>> = {
  console: ['Path=/'],
  known: ['Path=/sign-in', `Max-Age=${KNOWN_FOR_SECONDS}`],
};

/** More than a browser stores for a host. */
const MAX_COOKIES = 200;
/** With these prefixes a browser accepts a cookie only over HTTPS, and with the first one only from this host and for all paths. */
const PREFIX_OVER_HTTPS: Readonly<Record<CookieKind, string>> = { console: '__Host-', known: '__Secure-' };

// A false claim of HTTPS only hides the cookie from the claimant.
function isOverHttps({ headers }: CookieRequest): boolean {
  // The first of several proxies is the browser's.
  return String(headers['x-forwarded-proto']).split(',', 1)[0] === 'https';
}

/** Cookies do not distinguish ports, and two services on a machine must not sign out each other's owners. */
function cookieName(request: CookieRequest, kind: CookieKind): string {
  const prefix = isOverHttps(request) ? PREFIX_OVER_HTTPS[kind] : '';
  return `${prefix}staywire_${kind}_${request.socket.localPort ?? 0}`;
}

/** All cookies of the name: a server on another port can set more, with a longer path, and browsers send those first. */
export function cookiesOf(request: CookieRequest, kind: CookieKind = 'console'): readonly string[] {
  const name = `${cookieName(request, kind)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(name))
    .slice(0, MAX_COOKIES)
    .map((cookie) => cookie.slice(name.length));
}

/** An empty token removes the cookie. */
export function cookieHeader(request: CookieRequest, token: string, kind: CookieKind = 'console'): string {
  return [
    `${cookieName(request, kind)}=${token}`,
    'HttpOnly',
    'SameSite=Strict',
    ...SCOPE_OF_COOKIE[kind],
    ...(isOverHttps(request) ? ['Secure'] : []),
    ...(token === '' ? ['Max-Age=0'] : []),
  ].join('; ');
}

const LOOPBACK = addressSetFrom(LOOPBACK_NETWORKS);
const LISTENS_EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** The answer to requests for another host, without any part of the request. */
export const OWN_HOSTS_TEXT =
  'The console answers under localhost, under loopback addresses, and under the name or address of STAYWIRE_CONSOLE_HOST; under any address if that is 0.0.0.0 or ::.';

/**
 * Whether a request names the console as its host. When it listens on every address, any address is accepted: behind NAT the machine does not
 * know the one that the browser uses, and an address, unlike a name, cannot be rebound to this machine.
 */
export function createOwnHosts(listensOn: string): AddressedToUs {
  const ownName = listensOn.toLowerCase();
  const ownAddress = parseAddress(listensOn)?.toString();
  const isEverywhere = LISTENS_EVERYWHERE.includes(listensOn);
  return createAddressedTo((host) =>
    typeof host === 'string'
      ? host === 'localhost' || host === ownName
      : isEverywhere || isAmong(LOOPBACK, host) || host.toString() === ownAddress,
  );
}

const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const UNREADABLE = 'What was sent cannot be read. Nothing was done.';
const TEXT_OF_STATUS: Readonly<Record<number, string>> = {
  408: 'What was sent did not arrive in time. Nothing was done.',
  // A server on another port of the host can set cookies until the headers overflow.
  431: 'The headers are too long. If your browser sent them, delete the cookies of this host in it.',
};

/** The answer to malformed HTTP, with the headers of all answers and without any part of the input. */
export function brokenAnswer({ code = '' }: { readonly code?: string }): AnswerToBrokenHttp {
  const status = STATUS_OF_FAULT[code] ?? 400;
  const headers = { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: `${TEXT_OF_STATUS[status] ?? UNREADABLE}\n` };
}
