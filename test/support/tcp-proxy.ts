import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server on this machine, and does to their connections what a bad network does. */
export type TcpProxy = {
  readonly port: number;
  /** The address of the server with the proxy in its place. */
  via(url: string): string;
  /** Breaks every connection, as a reset by a router does. New ones are let through. */
  cut(): void;
  /** Breaks every connection and refuses new ones, as a server that is gone does, until `resume`. */
  refuse(): void;
  /** Takes what the client sends, and hands on nothing in either direction until `resume`. */
  hang(): void;
  /** As `hang`, for answers only: what the client sends is carried out, and it never hears of it. */
  swallowAnswers(): void;
  /** Each piece of data arrives so much later. */
  delay(milliseconds: number): void;
  /** As at first. What was held back while it hung is handed on; answers that were swallowed are lost. */
  resume(): void;
  close(): Promise<void>;
};

type Mood = 'open' | 'refusing' | 'hanging' | 'swallowing';

export async function startTcpProxy(target: {
  readonly port: number;
  readonly host?: string;
}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let mood: Mood = 'open';
  let delayMs = 0;

  function handOn(to: Socket, deliver: () => void): void {
    if (mood === 'hanging') held.push(deliver);
    else if (delayMs > 0) setTimeout(deliver, delayMs).unref();
    else if (!to.destroyed) deliver();
  }

  function couple(from: Socket, to: Socket, isAnswer: boolean): void {
    sockets.add(from);
    from.on('data', (data) => {
      if (isAnswer && mood === 'swallowing') return;
      handOn(to, () => void (to.writable && to.write(data)));
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      handOn(to, () => void to.end());
    });
  }

  function cut(): void {
    held.length = 0;
    for (const socket of sockets) socket.destroy();
  }

  const server = createServer({ noDelay: true }, (client) => {
    if (mood === 'refusing') return void client.destroy();
    const upstream = connect({ host: '127.0.0.1', noDelay: true, ...target });
    couple(client, upstream, false);
    couple(upstream, client, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const { port } = address;

  return {
    port,
    via(url) {
      const proxied = new URL(url);
      proxied.host = `127.0.0.1:${port}`;
      return proxied.href;
    },
    cut,
    refuse() {
      mood = 'refusing';
      cut();
    },
    hang() {
      mood = 'hanging';
    },
    swallowAnswers() {
      mood = 'swallowing';
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    resume() {
      mood = 'open';
      delayMs = 0;
      for (const deliver of held.splice(0)) deliver();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
