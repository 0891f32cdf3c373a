import type { ServerResponse } from 'node:http';
import { beginsEventStream } from './half-closed.ts';

const EVENT_STREAM = 'text/event-stream';

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
}

/** The host is not part of it, because nobody may rely on what a client says there. */
export function standardRequest(
  {
    method,
    path,
    headers,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Uint8Array | undefined;
  },
  signal: AbortSignal,
): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(new URL(path, 'http://localhost'), {
    method,
    headers: known,
    signal,
    ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from(body) }),
  });
}

/** Sends what comes as it comes, no faster than the client reads it. */
export async function writeStream(
  raw: ServerResponse,
  response: Response,
  headers: Readonly<Record<string, string | number>>,
  beforePart: (part: string) => void = () => {},
): Promise<void> {
  raw.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...headers,
    'content-type': EVENT_STREAM,
    // Nobody on the way may collect it to compress it.
    'cache-control': 'no-store, no-transform',
  });
  raw.flushHeaders();
  beginsEventStream(raw);
  const reader = response.body?.getReader();
  if (!reader) return void raw.end();
  const stop = () => void reader.cancel().catch(() => {});
  raw.once('close', stop);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      beforePart(Buffer.from(part.value).toString());
      if (!raw.write(part.value)) await drained(raw);
    }
  } finally {
    raw.off('close', stop);
    raw.end();
  }
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      raw.off('drain', go);
      raw.off('close', go);
      resolve();
    };
    raw.once('drain', go);
    raw.once('close', go);
  });
}
