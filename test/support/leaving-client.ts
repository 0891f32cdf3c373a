import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that sends one or more requests over a connection of its own, and may leave before it is answered. */
export type LeavingClient = {
  /** Closes as most programs do: the other side sees only that nothing more is sent. */
  hangUp(): void;
  /** Closes so that the other side notices at once, as when a process is killed with answers unread. */
  reset(): void;
  /** Says that nothing more is sent, and goes on waiting for the answer. */
  halfClose(): void;
  /** All that was received until the service closed the connection. */
  received(): Promise<string>;
};

export async function sendAndLeave(origin: string, bytes: string): Promise<LeavingClient> {
  const { hostname, port } = new URL(origin);
  const parts: Buffer[] = [];
  const socket: Socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('data', (part: Buffer) => parts.push(part));
  // A reset is one way to end.
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((written) => socket.write(bytes, written));
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  return {
    hangUp: () => socket.destroy(),
    reset: () => socket.resetAndDestroy(),
    halfClose: () => socket.end(),
    async received() {
      await ended;
      socket.destroy();
      return Buffer.concat(parts).toString();
    },
  };
}

export function postRequest(path: string, body: unknown, headers: readonly string[] = []): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
