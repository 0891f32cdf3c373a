import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/clock.ts';
import { checkProtocol } from '../../src/connectors/protocol-check/check-protocol.ts';
import type { CheckVerdict, ProtocolReport } from '../../src/connectors/protocol-check/verdict.ts';
import { openLoopbackClient } from '../support/loopback-client.ts';
import { plainServer } from '../support/plain-server.ts';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/open-operator.mjs', import.meta.url));
export const TOKEN = 'a-token-for-the-check';
/** The example has a booking in August of that year. */
const NOW = Date.UTC(2027, 5, 1, 12);

export type ExampleServer = { readonly url: string; close(): Promise<void> };

export async function startExample(): Promise<ExampleServer> {
  const example: ChildProcess = spawn(process.execPath, [EXAMPLE], {
    env: { PORT: '0', OPERATOR_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!example.stdout) throw new Error('the example has no output');
  const [line] = await once(example.stdout, 'data');
  return {
    url: String(line).trim().split(' ').at(-1) ?? '',
    async close() {
      example.kill();
      await once(example, 'exit');
    },
  };
}

export type ExchangedCall = {
  readonly call: 'catalogue' | 'calendars' | 'quotes' | 'bookings';
  // biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into what is sent
  readonly asked: any;
  status: number;
  readonly sent: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into what is sent
  body: any;
  /** Instead of the body, as it is. */
  raw?: string | Uint8Array;
};

/** A server before the example, which changes its answers. */
export async function startBroken(example: ExampleServer, change: (call: ExchangedCall) => void) {
  return plainServer(async (request, response) => {
    const sent = await text(request);
    const { authorization, 'if-none-match': etag } = request.headers;
    const answer = await fetch(`${example.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      ...(sent === '' ? {} : { body: sent }),
    });
    const [path = ''] = (request.url ?? '').split('?');
    const received = await answer.text();
    const call: ExchangedCall = {
      call: path.slice(1) as ExchangedCall['call'],
      asked: sent === '' ? null : JSON.parse(sent),
      status: answer.status,
      sent: { 'content-type': 'application/json', etag: answer.headers.get('etag') ?? '' },
      body: received === '' ? null : JSON.parse(received),
    };
    change(call);
    if (call.sent.etag === '') delete call.sent.etag;
    response.writeHead(call.status, call.sent);
    response.end(call.raw ?? (call.status === 304 ? '' : JSON.stringify(call.body)));
  });
}

export function runCheck(
  baseUrl: string,
  changes: Partial<Parameters<typeof checkProtocol>[0]> = {},
): Promise<ProtocolReport> {
  return checkProtocol({
    baseUrl,
    token: TOKEN,
    openClient: openLoopbackClient,
    clock: { ...systemClock, now: () => NOW },
    signal: new AbortController().signal,
    onCheck: () => undefined,
    ...changes,
  });
}

export function faultsOf({ verdicts }: ProtocolReport): readonly CheckVerdict[] {
  return verdicts.filter(({ verdict }) => verdict === 'failed' || verdict === 'warning');
}
