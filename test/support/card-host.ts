import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { COMPARISON_CARD_HTML, comparisonCardMeta } from '../../src/mcp/card/comparison-card.ts';

export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

export type EmbeddedCard = {
  readonly page: Page;
  readonly card: Frame;
  /** Every address that was asked for, in order. */
  readonly requests: readonly string[];
  /** What went wrong in the page, with violations of its policies. */
  readonly complaints: readonly string[];
  send(method: 'sendToolInput' | 'sendToolResult' | 'sendToolCancelled', params: unknown): Promise<void>;
  changeContext(context: Readonly<Record<string, unknown>>): Promise<void>;
  tearDown(): Promise<unknown>;
  /** What the card asked of the host. */
  seen(): Promise<{
    readonly links: readonly string[];
    readonly calls: readonly { readonly name: string; readonly args: unknown }[];
    readonly sizes: readonly { readonly width: number; readonly height: number }[];
    readonly app: unknown;
  }>;
};

export type CardHost = {
  embed(options?: {
    readonly width?: number;
    readonly context?: Readonly<Record<string, unknown>>;
    readonly capabilities?: Readonly<Record<string, unknown>>;
    readonly opensLinks?: boolean;
    /** What the server answers to a call of the card. */
    readonly toolAnswer?: ToolResult;
    /** The time in the browser, which stands still unless it is said to run. */
    readonly now?: number;
    readonly isClockRunning?: boolean;
  }): Promise<EmbeddedCard>;
  close(): Promise<void>;
};

const HOST_PAGE =
  '<!doctype html><html lang="en"><title>Host</title><style>body{margin:0}iframe{display:block;width:100%;border:0}</style><h1 hidden>Host</h1><script src="/host.js"></script>';

/** A host that embeds the card as the specification says: in a sandbox, with the policy that the card's `_meta` leads to. */
export async function startCardHost(browser: Browser, imageHosts: readonly string[]): Promise<CardHost> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('../browser/card-host.page.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
  });
  const policy = policyFrom(comparisonCardMeta(imageHosts, null).ui.csp.resourceDomains);
  const host = await serve((path) =>
    path === '/host.js'
      ? { type: 'text/javascript', body: bundle.outputFiles[0]?.text ?? '' }
      : { type: 'text/html', body: HOST_PAGE },
  );
  const sandbox = await serve(() => ({ type: 'text/html', body: COMPARISON_CARD_HTML, policy }));

  // Pages of one context share a process.
  const context = await browser.newContext();
  return {
    async embed({
      width = 768,
      context: hostContext = {},
      capabilities = { openLinks: {} },
      opensLinks = true,
      ...options
    } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 900 });
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => void requests.push(request.url()));
      page.on('pageerror', (error) => void complaints.push(error.message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      if (options.now !== undefined) {
        if (options.isClockRunning) await page.clock.install({ time: options.now });
        else await page.clock.setFixedTime(options.now);
      }
      await page.goto(host.origin);
      const { toolAnswer } = options;
      const address = `${sandbox.origin}/`;
      const argument = { address, hostContext, capabilities, opensLinks, toolAnswer };
      await page.evaluate(`embedCard(${JSON.stringify(argument)})`);
      const card = page.frames().find((frame) => frame.url().startsWith(sandbox.origin));
      if (!card) throw new Error('the card was not embedded');
      const ask = (call: string, params: unknown) =>
        page.evaluate(`Promise.resolve(host.bridge.${call}(${JSON.stringify(params)}))`);
      return {
        page,
        card,
        requests,
        complaints,
        send: async (method, params) => void (await ask(method, params)),
        changeContext: async (change) => void (await ask('sendHostContextChange', change)),
        tearDown: () => ask('teardownResource', {}),
        seen: () =>
          page.evaluate('({ links: host.links, calls: host.calls, sizes: host.sizes, app: host.app })'),
      };
    },
    async close() {
      await Promise.all([host.close(), sandbox.close()]);
    },
  };
}

/** The policy that the specification of MCP Apps has hosts make of the origins that a resource declares. */
function policyFrom(resourceDomains: readonly string[]): string {
  const origins = resourceDomains.join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${origins}`,
    `style-src 'self' 'unsafe-inline' ${origins}`,
    `img-src 'self' data: ${origins}`,
    `font-src 'self' ${origins}`,
    `media-src 'self' data: ${origins}`,
    "connect-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
}

type Served = { readonly type: string; readonly body: string; readonly policy?: string };

async function serve(answer: (path: string) => Served) {
  const server = createServer((request, response) => {
    const { type, body, policy } = answer(request.url ?? '/');
    response.setHeader('content-type', `${type}; charset=utf-8`);
    if (policy) response.setHeader('content-security-policy', policy);
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
