import { connect } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
};

/** Sends raw bytes, which may be something that no client library would send, and reads until the connection closes. */
export function exchange(origin: string, chunks: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const received: Buffer[] = [];
  const socket = connect(Number(port), hostname, async () => {
    for (const chunk of chunks) {
      if (socket.destroyed) break;
      await new Promise((written) => socket.write(chunk, written));
    }
  });
  socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  socket.on('data', (data) => received.push(data));
  socket.on('close', () => resolve(parse(Buffer.concat(received).toString())));
  socket.on('error', (error: Error & { code?: string }) => {
    // The service may close the connection while bytes are still being written; its answer counts.
    if (received.length === 0 && error.code !== 'EPIPE') reject(error);
  });
  return promise;
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    raw: rest.join('\r\n\r\n'),
  };
}
