import type { IncomingMessage, Server } from 'node:http';
import { isPasswordOf } from '../access/owner-settings.ts';
import { RegistryFault } from '../access/registry/change-registry.ts';
import { IncomingRequest, rawPath, readBody } from '../http/incoming-request.ts';
import { createLimitedServer, type LimitedServer } from '../limits/connection-limits.ts';
import type { ConsoleAction } from '../telemetry/audit/audit-record.ts';
import { changeRoutes } from './change-pages.ts';
import {
  type ConsoleAnswer,
  type ConsoleDeps,
  type ConsoleRequest,
  type ConsoleRoute,
  seeOther,
} from './console-routes.ts';
import { CHART_LIBRARY, CONSOLE_SCRIPT } from './console-script.ts';
import { CONSOLE_STYLE } from './console-style.ts';
import {
  brokenAnswer,
  cookieHeader,
  cookiesOf,
  createOwnHosts,
  isFromOwnPage,
  isSameToken,
  OWN_HOSTS_TEXT,
  SECURITY_HEADERS,
} from './guard.ts';
import { type ConsolePage, layout, messagePage, PAGES } from './layout.ts';
import { createOwnerSessions, type OwnerSession } from './owner-sessions.ts';
import { quotesRoutes } from './quotes-page.ts';
import { reportRoutes } from './report-pages.ts';
import {
  createNoticedPassword,
  createSignInTries,
  isOfKnownBrowser,
  knownBrowserProof,
  noPasswordPage,
  signInPage,
} from './sign-in.ts';
import { tryRoutes } from './try-page.ts';

const MAX_FORM_BYTES = 16 * 1024;
/** From the first byte to the last: a form is small, and a slow sender occupies a connection that others need. */
const MAX_REQUEST_MS = 5_000;
/** A trial search waits for live prices. */
const MAX_ANSWER_MS = 30_000;
/**
 * Enough for a few people with a few pages each; more must not use up the service's file descriptors. Callers that are not signed in get a
 * quarter of them.
 */
export const MAX_CONSOLE_CONNECTIONS = 100;
const FIRST_PAGE = '/today';
const SIGN_IN = '/sign-in';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';
/** Sent by a page that updates itself, which does not count as use. */
const LIVE_HEADER = 'staywire-live';
/** The paths to which a sign-in may redirect. */
const OWN_ADDRESS = /^\/[a-z][a-z0-9/_-]*(?:\?[\w=&%.-]*)?$/;

const FORM = { type: 'application/x-www-form-urlencoded', maxBytes: MAX_FORM_BYTES };
const MAX_PARAMETER_LENGTH = 200;
const STATUS_OF_BODY = { too_large: 413, other_type: 415, invalid_type: 415 } as const;

type ShownTo = Pick<ConsoleRequest, 'session'> & Partial<Pick<ConsoleRequest, 'isLive'>>;

/** A request of anyone who reaches the console. */
type Visit = Pick<ConsoleRequest, 'params' | 'query' | 'form' | 'isLive'> & {
  readonly raw: IncomingMessage;
  readonly url: string;
};
type Route = Pick<ConsoleRoute, 'method' | 'path'> & {
  answer(visit: Visit): Promise<ConsoleAnswer> | ConsoleAnswer;
};

export type Console = {
  readonly server: Server;
  readonly routes: readonly Pick<Route, 'method' | 'path'>[];
  readonly listen: LimitedServer['listen'];
  close(): Promise<void>;
};

/** The owner's console: a separate server, which never listens by itself. Others see nothing but the sign-in page. */
export function buildConsole(deps: ConsoleDeps): Console {
  const { network, host, password, accountBehind, audit, clock, random, log } = deps;
  const addressedToUs = createOwnHosts(host);
  const sessions = createOwnerSessions({ clock, random });
  const attempt = createSignInTries(clock);
  const { server, approved, listen, close } = createLimitedServer({
    maxConnections: MAX_CONSOLE_CONNECTIONS,
    maxAnswerMs: MAX_ANSWER_MS,
    clock,
    options: { requestTimeout: MAX_REQUEST_MS, headersTimeout: MAX_REQUEST_MS },
    answerBroken: async (error) => brokenAnswer(error),
    serve(raw, response) {
      answerTo(new IncomingRequest(raw, response, '', 0)).then(
        ({ status, headers, body }) => {
          const length = Buffer.byteLength(body);
          response.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'content-length': length }).end(body);
        },
        () => raw.socket.destroy(),
      );
      return undefined;
    },
  });
  const readPassword = createNoticedPassword(password, () => record('password_changed'));
  const record = (action: ConsoleAction) => audit({ kind: 'console', action, about: null });

  const show = (page: ConsolePage, { session, isLive = false }: ShownTo, status = 200): ConsoleAnswer => {
    const { formToken, notice } = session;
    // A page that updates itself does not show the notice, so it must not consume it.
    if (!isLive) session.notice = null;
    return htmlAnswer(layout(page, { network, formToken, notice }), status);
  };
  const notFound = (request: ShownTo) => show(NO_SUCH_PAGE, request, 404);

  /** A line for each family of pages, which has its own file. A page in the navigation also has a line in `PAGES` of layout.ts. */
  const ownersRoutes: readonly ConsoleRoute[] = [
    { method: 'GET', path: '/', serve: () => seeOther(FIRST_PAGE) },
    ...reportRoutes(deps, { show, notFound }),
    ...changeRoutes(deps, { show, notFound }),
    ...quotesRoutes(deps, { show, notFound }),
    ...tryRoutes(deps, { show, notFound }),
    { method: 'GET', path: '/assets/console.js', serve: () => asset(SCRIPT_TYPE, CONSOLE_SCRIPT) },
    { method: 'GET', path: '/assets/uplot.js', serve: () => asset(SCRIPT_TYPE, CHART_LIBRARY.script()) },
    { method: 'GET', path: '/assets/uplot.css', serve: () => asset(STYLE_TYPE, CHART_LIBRARY.style()) },
  ];

  const routes: readonly Route[] = [
    { method: 'GET', path: '/assets/console.css', answer: () => asset(STYLE_TYPE, CONSOLE_STYLE) },
    { method: 'GET', path: SIGN_IN, answer: showSignIn },
    { method: 'POST', path: SIGN_IN, answer: signIn },
    { method: 'POST', path: '/sign-out', answer: signOut },
    ...ownersRoutes.map(forOwner),
  ];
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path) }))
    // A fixed part goes before a parameter in its place.
    .sort((one, other) => one.route.path.split(':').length - other.route.path.split(':').length);

  return {
    server,
    routes,
    listen,
    close() {
      const closed = close();
      server.closeAllConnections();
      return closed;
    },
  };

  async function answerTo(request: IncomingRequest): Promise<ConsoleAnswer> {
    const { raw, method, url, path, query } = request;
    if (!addressedToUs(raw)) {
      return { status: 403, headers: { 'content-type': TEXT_TYPE }, body: `${OWN_HOSTS_TEXT}\n` };
    }
    if (!isReading(raw) && !isFromOwnPage(raw)) {
      record('form_refused');
      return alone(FOREIGN_FORM, 403);
    }
    if (path === null) return alone(UNREADABLE_ADDRESS, 400);
    const isLive = raw.headers[LIVE_HEADER] !== undefined;
    const matching = patterns.flatMap(({ route, pattern }) => {
      const groups = pattern.exec(rawPath(url).replace(/#.*/, ''))?.groups;
      return groups ? [{ route, params: decodedParams(groups) }] : [];
    });
    const asked = method === 'HEAD' ? 'GET' : method;
    const found = matching.find(({ route }) => route.method === asked);
    const params = found?.params ?? {};
    if (Object.values(params).some(({ length }) => length > MAX_PARAMETER_LENGTH)) {
      return alone(UNREADABLE_ADDRESS, 414);
    }
    try {
      const body = found ? await readBody(request, FORM) : 'none';
      if (typeof body === 'string' && body !== 'none') {
        return await faultAnswer(UNREADABLE_FORM, STATUS_OF_BODY[body], { raw, isLive });
      }
      const form = new URLSearchParams(body === 'none' ? '' : body.toString());
      const visit: Visit = {
        raw,
        url,
        isLive,
        params,
        form,
        query: Object.fromEntries([...query.once, ...query.repeated]),
      };
      if (found) return await found.route.answer(visit);
      return await answerUnrouted(
        visit,
        matching.map(({ route }) => route.method),
      );
    } catch (fault) {
      // A form that broke off with its connection.
      if (raw.errored) return alone(UNREADABLE_FORM, 400);
      log.error({ err: fault, path: found?.route.path ?? null }, 'the console failed');
      return faultAnswer(faultPage(fault), 500, { raw, isLive });
    }
  }

  async function faultAnswer(
    page: ConsolePage,
    status: number,
    { raw, isLive }: Pick<Visit, 'raw' | 'isLive'>,
  ): Promise<ConsoleAnswer> {
    const session = await signedIn({ raw, isLive }).catch(() => undefined);
    return session ? show(page, { session }, status) : alone(page, status);
  }

  async function answerUnrouted(visit: Visit, methods: readonly string[]): Promise<ConsoleAnswer> {
    const session = await signedIn(visit);
    if (!session) return toSignIn(visit);
    if (methods.length === 0) return notFound({ session });
    const allowed = [...new Set(methods)];
    const page = messagePage('Method not allowed', `This address takes ${allowed.join(' and ')} only.`);
    return withHeaders(show(page, { session }, 405), { allow: allowed.join(', ') });
  }

  function forOwner(route: ConsoleRoute): Route {
    return {
      ...route,
      async answer(visit) {
        const session = await signedIn(visit);
        if (!session) return toSignIn(visit);
        if (route.method === 'POST' && !hasTokenOf(session, visit.form)) {
          return show(EXPIRED_FORM, { session }, 403);
        }
        return route.serve({ ...visit, session });
      },
    };
  }

  async function showSignIn(visit: Visit): Promise<ConsoleAnswer> {
    if (await signedIn(visit)) return seeOther(FIRST_PAGE);
    return signInAnswer(null, ownAddress(visit.query.next));
  }

  async function signIn({ raw, form }: Visit): Promise<ConsoleAnswer> {
    const stored = await readPassword();
    const next = ownAddress(form.get('next'));
    if (stored === null) {
      record('sign_in_impossible');
      return signInAnswer(null, next);
    }
    const accountHere = () => accountBehind(raw.socket);
    const known = cookiesOf(raw, 'known').filter((given) => isOfKnownBrowser(given, stored));
    // A stranger's account is not looked up, because that reads all connections of the machine.
    const expected = known.length === 0 ? '' : knownBrowserProof(stored, await accountHere());
    const who = known.some((given) => isSameToken(given, expected)) ? 'known' : 'stranger';
    const outcome = await attempt(() => isPasswordOf(form.get('password') ?? '', stored), who);
    if (outcome.kind === 'done' && outcome.value) {
      const account = await accountHere();
      const proof = knownBrowserProof(stored, account);
      record('signed_in');
      approved(raw.socket);
      const token = sessions.open(stored, account);
      const cookies = [cookieHeader(raw, token), cookieHeader(raw, proof, 'known')];
      return seeOther(next, { 'set-cookie': cookies });
    }
    if (outcome.kind === 'done') {
      record('sign_in_refused');
      return signInAnswer('That is not the password.', next, 401);
    }
    record('sign_in_limited');
    const { retryAfterSeconds } = outcome;
    const fault = `Too many tries. The next one is possible in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`;
    const answer = await signInAnswer(fault, next, 429);
    return withHeaders(answer, { 'retry-after': String(retryAfterSeconds) });
  }

  async function signOut(visit: Visit): Promise<ConsoleAnswer> {
    const { raw, form } = visit;
    const session = await signedIn(visit);
    if (session) {
      if (!hasTokenOf(session, form)) return show(EXPIRED_FORM, { session }, 403);
      for (const token of cookiesOf(raw)) sessions.end(token);
      record('signed_out');
    }
    return seeOther(SIGN_IN, { 'set-cookie': [cookieHeader(raw, '')] });
  }

  async function signedIn({ raw, isLive }: Pick<Visit, 'raw' | 'isLive'>): Promise<OwnerSession | undefined> {
    const tokens = cookiesOf(raw);
    if (tokens.length === 0) return undefined;
    const stored = await readPassword();
    if (stored === null) return undefined;
    const found = tokens.flatMap((token) => sessions.find(token, stored, { isUse: !isLive }) ?? []);
    if (found.length === 0) return undefined;
    // Browsers send the cookie to every port of the machine, even if another account listens there.
    const behind = await accountBehind(raw.socket);
    const session = found.find(({ account }) => account === behind);
    if (!session) return undefined;
    approved(raw.socket);
    return session;
  }

  async function signInAnswer(fault: string | null, next: string, status = 200): Promise<ConsoleAnswer> {
    if ((await readPassword()) === null) return alone(noPasswordPage(), 503);
    return alone(signInPage(fault, next), status);
  }

  /** A page for a person who is not signed in. */
  function alone(page: ConsolePage, status: number): ConsoleAnswer {
    return htmlAnswer(layout(page, { network, formToken: null, notice: null }), status);
  }

  function toSignIn({ raw, url }: Visit): ConsoleAnswer {
    if (isReading(raw)) {
      return seeOther(`${SIGN_IN}?${new URLSearchParams({ next: ownAddress(url) })}`);
    }
    return alone(SIGNED_OUT, 401);
  }
}

function asset(type: string, body: string | Buffer): ConsoleAnswer {
  return { status: 200, headers: { 'content-type': type }, body };
}

function htmlAnswer(body: string, status: number): ConsoleAnswer {
  return { status, headers: { 'content-type': HTML_TYPE }, body };
}

function withHeaders(answer: ConsoleAnswer, headers: ConsoleAnswer['headers']): ConsoleAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The parameters of a path are named groups. */
function patternOf(path: string): RegExp {
  return new RegExp(`^(?<whole>)${path.replaceAll('.', '\\.').replaceAll(/:([a-z]+)/g, '(?<$1>[^/]+)')}$`);
}

function decodedParams(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.entries(groups).filter(([name]) => name !== 'whole');
  return Object.fromEntries(named.map(([name, value]) => [name, decodeURIComponent(value)]));
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasTokenOf({ formToken }: OwnerSession, form: URLSearchParams): boolean {
  return isSameToken(form.get('form_token') ?? '', formToken);
}

/** Never a URL elsewhere, nor one that ends or begins a session. */
function ownAddress(address: unknown): string {
  if (typeof address !== 'string' || !OWN_ADDRESS.test(address)) return FIRST_PAGE;
  return Object.keys(PAGES).some((path) => address.startsWith(path)) ? address : FIRST_PAGE;
}

const NO_SUCH_PAGE = messagePage(
  'No such page',
  'Nothing is here. It may have been taken out of the network or the registry meanwhile.',
);
const EXPIRED_FORM = messagePage(
  'The form was too old',
  'It was made before you signed in last, and nothing was changed. Go back, load that page again, and send it once more.',
);
const FOREIGN_FORM = messagePage(
  'Not from this console',
  'The form was not sent from a page of this console, so nothing was done. If it was, open the console under the address in your browser’s address bar and try again.',
);
const UNREADABLE_ADDRESS = messagePage(
  'That cannot be read',
  'The address is too long, or is not spelled as addresses are. Nothing was done.',
);
const UNREADABLE_FORM = messagePage(
  'That cannot be read',
  'What was sent is too long or not a form. Nothing was done.',
);
const SIGNED_OUT = messagePage(
  'Signed out',
  'You are not signed in any more, and nothing was changed. Sign in, and do it again.',
  { href: SIGN_IN, label: 'Sign in' },
);

function faultPage(error: unknown): ConsolePage {
  if (!(error instanceof RegistryFault)) {
    return messagePage(
      'Something went wrong',
      'The log of the service says more. Nothing else is stopped by it; try again in a moment.',
    );
  }
  const next = error.next === null ? '' : ` What to do: ${error.next}.`;
  const link = { href: '/assistants', label: 'To the assistants' };
  return messagePage('The registry could not be changed', `${error.faults.join(' ')}${next}`, link);
}
