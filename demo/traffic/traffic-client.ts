import { Agent, fetch } from 'undici';
import { type Clock, pauseFor } from '../../src/clock.ts';
import type { DemoAssistant } from '../assistants.ts';

type InterfaceCall = {
  readonly assistant: DemoAssistant;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly values?: unknown;
  /** Whether a request that was refused for a while is sent again. */
  readonly waits: boolean;
};

type InterfaceAnswer = {
  /** Undefined when the call was refused, temporarily or for good. */
  readonly body: unknown;
  /** How often it was sent, and how often it was over a rate limit. */
  readonly requests: number;
  readonly limited: number;
  /** Whether the assistant is not admitted. */
  readonly isDenied: boolean;
};

/** Calls the service and the websites of the demo. */
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
      // Never book on a website that is not the demo's, wherever the service links to.
      if (!isOnThisMachine(address)) throw new Error(`${address} is not on this machine`);
      const body = form && new URLSearchParams(form);
      const answer = await fetch(address, { dispatcher, signal, ...(body && { method: 'POST', body }) });
      return { url: answer.url, text: await answer.text() };
    },
    close: () => dispatcher.close(),
  };
}

/** The parts of an answer that the traffic reads. The service is another program, so every member is checked. */
export type SearchAnswer = {
  /** Null for a result. */
  readonly error: string | null;
  readonly isResult: boolean;
  readonly missingFields: readonly string[];
  readonly invalidField: string | null;
  /** The code of the reason for a refusal. */
  readonly reason: string | null;
  readonly suggestions: readonly string[];
  /** Amenities by which the result can be narrowed. */
  readonly amenities: readonly string[];
  readonly options: readonly { readonly url: string }[];
};

export function readSearchAnswer(body: unknown): SearchAnswer {
  const refine = member(member(body, 'available_requests'), 'refine');
  return {
    error: textAt(body, 'error'),
    isResult: textAt(body, 'object') === 'search_result',
    missingFields: texts(member(body, 'missing_fields')),
    invalidField: textAt(body, 'invalid_field'),
    reason: textAt(member(body, 'reason'), 'code'),
    suggestions: texts(member(body, 'suggestions')),
    amenities: list(member(refine, 'options')).flatMap((offer) => textAt(offer, 'value') ?? []),
    options: list(member(body, 'results')).flatMap((option) => {
      const url = textAt(option, 'url');
      return url === null ? [] : [{ url }];
    }),
  };
}

export function textAt(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((one) => typeof one === 'string');
}
