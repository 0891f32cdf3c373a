import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Nothing from elsewhere, nothing written into the page, no frame around it. */
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

/** With every answer. */
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
 * Whether a form was sent from a page of the console. Browsers tell by `Sec-Fetch-Site`, also where a proxy in front has another name; those that
 * do not tell it send `Origin`, which has to name this host. Whoever sends neither is no browser with a form of ours.
 */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
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

/** `console` signs in, for as long as the browser is open; `known` is what it keeps of having been signed in. */
type CookieKind = 'console' | 'known';
type CookieRequest = Pick<FastifyRequest, 'socket' | 'headers'>;

const KNOWN_FOR_SECONDS = 365 * 24 * 60 * 60;
const SCOPE_OF_COOKIE: Readonly<Record<CookieKind, readonly string[]>> = {
  console: ['Path=/'],
  known: ['Path=/sign-in', `Max-Age=${KNOWN_FOR_SECONDS}`],
};

/** More than a browser keeps for a host. */
const MAX_COOKIES = 200;
/** By these a browser takes a cookie from https alone, and the first one only from this host and for all of it. */
const PREFIX_OVER_HTTPS: Readonly<Record<CookieKind, string>> = { console: '__Host-', known: '__Secure-' };

// Whoever claims falsely to have come over https only hides the cookie from itself.
function isOverHttps({ headers }: CookieRequest): boolean {
  // Of several proxies, the first one is that of the browser.
  return String(headers['x-forwarded-proto']).split(',', 1)[0] === 'https';
}

/** Cookies do not tell ports apart, and two services on a machine must not sign each other's owners out. */
function cookieName(request: CookieRequest, kind: CookieKind): string {
  const prefix = isOverHttps(request) ? PREFIX_OVER_HTTPS[kind] : '';
  return `${prefix}staywire_${kind}_${request.socket.localPort ?? 0}`;
}

/** All of the name: a server on another port can set more of them, with a longer path, and browsers send those first. */
export function cookiesOf(request: CookieRequest, kind: CookieKind = 'console'): readonly string[] {
  const name = `${cookieName(request, kind)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(name))
    .slice(0, MAX_COOKIES)
    .map((cookie) => cookie.slice(name.length));
}

/** An empty token takes the cookie away. */
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
