import { Agent, fetch } from 'undici';
import { type Clock, pauseFor } from '../../src/clock.ts';
import type { DemoAssistant } from '../assistants.ts';

export type InterfaceCall = {
  readonly assistant: DemoAssistant;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly values?: unknown;
  /** Whether a request that was refused for now is sent again when it may be. */
  readonly waits: boolean;
};

export type InterfaceAnswer = {
  /** Undefined when the call was refused, for now or altogether. */
  readonly body: unknown;
  /** How often it was sent, and how often that was too often. */
  readonly requests: number;
  readonly limited: number;
  /** Whether the assistant is not let in. */
  readonly isDenied: boolean;
};

/** The way of the traffic to the service, and to the websites of the demo. */
export type TrafficClient = {
  call(call: InterfaceCall): Promise<InterfaceAnswer>;
  /** Reads a page, or sends a form; redirects are followed. */
  visit(
    address: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly text: string }>;
  close(): Promise<void>;
};

const MAX_TRIES = 8;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

export function isOnThisMachine(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
}

export function createTrafficClient({
  service,
  connections,
  clock,
  signal,
}: {
  readonly service: string;
  readonly connections: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
}): TrafficClient {
  const dispatcher = new Agent({ connections });

  async function callOnce({ assistant, method, path, values }: InterfaceCall) {
    const answer = await fetch(`${service}${path}`, {
      method,
      headers: {
        'user-agent': `${assistant.token}/1.0`,
        ...(values === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(values === undefined ? {} : { body: JSON.stringify(values) }),
      dispatcher,
      signal,
    });
    const body: unknown = await answer.json();
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    const isRefusedForNow =
      error === 'rate_limited' || error === 'overloaded' || error === 'too_many_sessions';
    const waitSeconds = Number(answer.headers.get('retry-after') ?? 1);
    const isDenied = error === 'access_denied';
    return {
      body: isDenied ? undefined : body,
      isDenied,
      isRefusedForNow,
      isLimited: error === 'rate_limited',
      waitSeconds,
    };
  }

  return {
    async call(call) {
      let limited = 0;
      for (let requests = 1; ; requests += 1) {
        const answer = await callOnce(call);
        const { isDenied } = answer;
        if (!answer.isRefusedForNow) return { body: answer.body, requests, limited, isDenied };
        if (answer.isLimited) limited += 1;
        if (!call.waits || requests === MAX_TRIES) return { body: undefined, requests, limited, isDenied };
        await pauseFor(answer.waitSeconds * 1000, clock, signal);
      }
    },
    async visit(address, form) {
      // Whatever a service sends its travellers to: nothing is booked on a website that is not the demo's.
      if (!isOnThisMachine(address)) throw new Error(`${address} is not on this machine`);
      const body = form && new URLSearchParams(form);
      const answer = await fetch(address, { dispatcher, signal, ...(body && { method: 'POST', body }) });
      return { url: answer.url, text: await answer.text() };
    },
    close: () => dispatcher.close(),
  };
}
