import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isPasswordOf } from '../access/owner-settings.ts';
import { RegistryFault } from '../access/registry/change-registry.ts';
import { createAnswerBrokenHttp } from '../limits/broken-http.ts';
import { connectionTimes, shareConnections } from '../limits/connection-limits.ts';
import type { ConsoleAction } from '../telemetry/audit/audit-record.ts';
import { changeRoutes } from './change-pages.ts';
import type { ConsoleAnswer, ConsoleDeps, ConsoleRequest, ConsoleRoute } from './console-routes.ts';
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
const STYLE_PATH = '/assets/console.css';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';
/** Sent by a page that updates itself, which does not count as use. */
const LIVE_HEADER = 'staywire-live';
/** The paths to which a sign-in may redirect. */
const OWN_ADDRESS = /^\/[a-z][a-z0-9/_-]*(?:\?[\w=&%.-]*)?$/;

type ShownTo = Pick<ConsoleRequest, 'session'> & Partial<Pick<ConsoleRequest, 'isLive'>>;

/** The owner's console: a separate server, which never listens by itself. Others see nothing but the sign-in page. */
export function buildConsole(deps: ConsoleDeps): FastifyInstance {
  const { network, host, password, accountBehind, audit, clock, random, log } = deps;
  const addressedToUs = createOwnHosts(host);
  const sessions = createOwnerSessions({ clock, random });
  const attempt = createSignInTries(clock);
  const { http, ...times } = connectionTimes(MAX_ANSWER_MS);
  const app = fastify({
    bodyLimit: MAX_FORM_BYTES,
    ...times,
    requestTimeout: MAX_REQUEST_MS,
    http: {
      headersTimeout: MAX_REQUEST_MS,
      connectionsCheckingInterval: http.connectionsCheckingInterval,
      // Node must not refuse requests itself, because its answers would lack our headers.
      requireHostHeader: http.requireHostHeader,
    },
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: createAnswerBrokenHttp({
      answerTo: async (error) => brokenAnswer(error),
      mayAnswer: (socket) => places.mayAnswer(socket),
      isInUse: (socket) => places.isInUse(socket),
      clock,
    }),
    // No hooks run for a URL that cannot be routed.
    frameworkErrors: ({ statusCode = 400 }, request, reply) =>
      void (guard(request, reply) ?? send(reply, alone(unreadableAddress(), statusCode))),
  });
  const places = shareConnections(app.server, { maxConnections: MAX_CONSOLE_CONNECTIONS, clock });
  const readPassword = createNoticedPassword(password, () => record('password_changed'));
  const record = (action: ConsoleAction) => audit({ kind: 'console', at: clock.now(), action, about: null });

  const show = (page: ConsolePage, { session, isLive = false }: ShownTo, status = 200): ConsoleAnswer => {
    const { formToken, notice } = session;
    // A page that updates itself does not show the notice, so it must not consume it.
    if (!isLive) session.notice = null;
    return { kind: 'html', status, html: layout(page, { network, formToken, notice }) };
  };
  const notFound = (request: ShownTo) =>
    show(
      messagePage({
        title: 'No such page',
        text: 'Nothing is here. It may have been taken out of the network or the registry meanwhile.',
      }),
      request,
      404,
    );

  /** A line for each family of pages, which has its own file. A page in the navigation also has a line in `PAGES` of layout.ts. */
  const routes: readonly ConsoleRoute[] = [
    { method: 'GET', path: '/', serve: () => ({ kind: 'see', location: FIRST_PAGE }) },
    ...reportRoutes(deps, { show, notFound }),
    ...changeRoutes(deps, { show, notFound }),
    ...quotesRoutes(deps, { show, notFound }),
    ...tryRoutes(deps, { show }),
    asset('/assets/console.js', SCRIPT_TYPE, () => CONSOLE_SCRIPT),
    asset('/assets/uplot.js', SCRIPT_TYPE, CHART_LIBRARY.script),
    asset('/assets/uplot.css', STYLE_TYPE, CHART_LIBRARY.style),
  ];

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (request, reply) => guard(request, reply));

  app.get(STYLE_PATH, (_, reply) => reply.type(STYLE_TYPE).send(CONSOLE_STYLE));
  app.get(SIGN_IN, async (request, reply) => {
    if (await signedIn(request)) return reply.redirect(FIRST_PAGE, 303);
    const next = ownAddress((request.query as Readonly<Record<string, unknown>>).next);
    return send(reply, await signInAnswer({ fault: null, next }));
  });
  app.post(SIGN_IN, async (request, reply) => {
    const form = formOf(request);
    const stored = await readPassword();
    const next = ownAddress(form.get('next'));
    if (stored === null) {
      record('sign_in_impossible');
      return send(reply, await signInAnswer({ fault: null, next }));
    }
    const accountHere = () => accountBehind(request.raw.socket);
    const known = cookiesOf(request, 'known').filter((given) => isOfKnownBrowser(given, stored));
    // A stranger's account is not looked up, because that reads all connections of the machine.
    const expected = known.length === 0 ? '' : knownBrowserProof(stored, await accountHere());
    const who = known.some((given) => isSameToken(given, expected)) ? 'known' : 'stranger';
    const outcome = await attempt(() => isPasswordOf(form.get('password') ?? '', stored), who);
    if (outcome.kind === 'done' && outcome.value) {
      const account = await accountHere();
      const proof = knownBrowserProof(stored, account);
      record('signed_in');
      places.approved(request.raw.socket);
      const token = sessions.open(stored, account);
      const cookies = [cookieHeader(request, token), cookieHeader(request, proof, 'known')];
      return reply.header('set-cookie', cookies).redirect(next, 303);
    }
    if (outcome.kind === 'done') {
      record('sign_in_refused');
      return send(reply, await signInAnswer({ fault: 'That is not the password.', next, status: 401 }));
    }
    record('sign_in_limited');
    const { retryAfterSeconds } = outcome;
    const fault = `Too many tries. The next one is possible in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`;
    reply.header('retry-after', String(retryAfterSeconds));
    return send(reply, await signInAnswer({ fault, next, status: 429 }));
  });
  app.post('/sign-out', async (request, reply) => {
    const session = await signedIn(request);
    if (session) {
      if (!hasTokenOf(session, formOf(request))) return send(reply, show(expiredForm(), { session }, 403));
      for (const token of cookiesOf(request)) sessions.end(token);
      record('signed_out');
    }
    return reply.header('set-cookie', cookieHeader(request, '')).redirect(SIGN_IN, 303);
  });
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      async handler(request, reply) {
        const session = await signedIn(request);
        if (!session) return sendToSignIn(request, reply);
        const form = formOf(request);
        if (route.method === 'POST' && !hasTokenOf(session, form)) {
          return send(reply, show(expiredForm(), { session }, 403));
        }
        const answer = await route.serve({
          params: request.params as Readonly<Record<string, string>>,
          query: request.query as Readonly<Record<string, unknown>>,
          form,
          session,
          isLive: isLive(request),
        });
        return send(reply, answer);
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const session = await signedIn(request);
    if (!session) return sendToSignIn(request, reply);
    const allowed = methodsAt(request.url.split('?', 1)[0] ?? '', routes);
    if (allowed.length === 0) return send(reply, notFound({ session }));
    reply.header('allow', allowed.join(', '));
    const page = messagePage({
      title: 'Method not allowed',
      text: `This address takes ${allowed.join(' and ')} only.`,
    });
    return send(reply, show(page, { session }, 405));
  });
  app.setErrorHandler(async (error: Error & { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500)
      log.error({ err: error, path: request.routeOptions.url ?? null }, 'the console failed');
    const session = await signedIn(request).catch(() => undefined);
    const page = faultPage(error, status);
    return send(reply, session ? show(page, { session }, status) : alone(page, status));
  });

  return app;

  /** Undefined for a permitted request; others are answered here. */
  function guard(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    reply.headers(SECURITY_HEADERS);
    if (!addressedToUs(request.raw)) {
      return reply.code(403).type('text/plain; charset=utf-8').send(`${OWN_HOSTS_TEXT}\n`);
    }
    if (!isReading(request) && !isFromOwnPage(request)) {
      record('form_refused');
      return send(reply, alone(foreignForm(), 403));
    }
    return undefined;
  }

  async function signedIn(request: FastifyRequest): Promise<OwnerSession | undefined> {
    const tokens = cookiesOf(request);
    if (tokens.length === 0) return undefined;
    const stored = await readPassword();
    if (stored === null) return undefined;
    const isUse = !isLive(request);
    const found = tokens.flatMap((token) => sessions.find(token, stored, { isUse }) ?? []);
    if (found.length === 0) return undefined;
    // Browsers send the cookie to every port of the machine, even if another account listens there.
    const behind = await accountBehind(request.raw.socket);
    const session = found.find(({ account }) => account === behind);
    if (!session) return undefined;
    places.approved(request.raw.socket);
    return session;
  }

  async function signInAnswer({
    fault,
    next,
    status = 200,
  }: {
    readonly fault: string | null;
    readonly next: string;
    readonly status?: number;
  }): Promise<ConsoleAnswer> {
    if ((await readPassword()) === null) return alone(noPasswordPage(), 503);
    return alone(signInPage({ fault, next }), status);
  }

  /** A page for a person who is not signed in. */
  function alone(page: ConsolePage, status: number): ConsoleAnswer {
    return { kind: 'html', status, html: layout(page, { network, formToken: null, notice: null }) };
  }

  function sendToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (isReading(request)) {
      return reply.redirect(`${SIGN_IN}?${new URLSearchParams({ next: ownAddress(request.url) })}`, 303);
    }
    const page = messagePage({
      title: 'Signed out',
      text: 'You are not signed in any more, and nothing was changed. Sign in, and do it again.',
      link: { href: SIGN_IN, label: 'Sign in' },
    });
    return send(reply, alone(page, 401));
  }
}

function asset(path: string, type: string, content: () => string | Buffer): ConsoleRoute {
  return { method: 'GET', path, serve: () => ({ kind: 'file', type, content: content() }) };
}

function send(reply: FastifyReply, answer: ConsoleAnswer): FastifyReply {
  switch (answer.kind) {
    case 'html':
      return reply
        .code(answer.status ?? 200)
        .type(HTML_TYPE)
        .send(answer.html);
    case 'see':
      return reply.redirect(answer.location, 303);
    case 'file':
      if (answer.name !== undefined) {
        reply.header('content-disposition', `attachment; filename="${answer.name}"`);
      }
      return reply.type(answer.type).send(answer.content);
  }
}

function isLive({ headers }: FastifyRequest): boolean {
  return headers[LIVE_HEADER] !== undefined;
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function hasTokenOf({ formToken }: OwnerSession, form: URLSearchParams): boolean {
  return isSameToken(form.get('form_token') ?? '', formToken);
}

/** Never a URL elsewhere, nor one that ends or begins a session. */
function ownAddress(address: unknown): string {
  if (typeof address !== 'string' || !OWN_ADDRESS.test(address)) return FIRST_PAGE;
  return Object.keys(PAGES).some((path) => address.startsWith(path)) ? address : FIRST_PAGE;
}

/** The methods that a path accepts. */
function methodsAt(path: string, routes: readonly ConsoleRoute[]): readonly string[] {
  const own: readonly Pick<ConsoleRoute, 'method' | 'path'>[] = [
    ...routes,
    { method: 'GET', path: STYLE_PATH },
    { method: 'GET', path: SIGN_IN },
    { method: 'POST', path: SIGN_IN },
    { method: 'POST', path: '/sign-out' },
  ];
  const matching = own.filter((route) => {
    const pattern = route.path.replaceAll('.', '\\.').replaceAll(/:[a-z]+/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  return [...new Set(matching.map(({ method }) => method))];
}

function expiredForm(): ConsolePage {
  return messagePage({
    title: 'The form was too old',
    text: 'It was made before you signed in last, and nothing was changed. Go back, load that page again, and send it once more.',
  });
}

function foreignForm(): ConsolePage {
  return messagePage({
    title: 'Not from this console',
    text: 'The form was not sent from a page of this console, so nothing was done. If it was, open the console under the address in your browser’s address bar and try again.',
  });
}

function unreadableAddress(): ConsolePage {
  return messagePage({
    title: 'That cannot be read',
    text: 'The address is too long, or is not spelled as addresses are. Nothing was done.',
  });
}

function faultPage(error: Error, status: number): ConsolePage {
  if (error instanceof RegistryFault) {
    const next = error.next === null ? '' : ` What to do: ${error.next}.`;
    return messagePage({
      title: 'The registry could not be changed',
      text: `${error.faults.join(' ')}${next}`,
      link: { href: '/assistants', label: 'To the assistants' },
    });
  }
  if (status < 500) {
    return messagePage({
      title: 'That cannot be read',
      text: 'What was sent is too long or not a form. Nothing was done.',
    });
  }
  return messagePage({
    title: 'Something went wrong',
    text: 'The log of the service says more. Nothing else is stopped by it; try again in a moment.',
  });
}
