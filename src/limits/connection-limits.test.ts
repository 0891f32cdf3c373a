import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { type ConnectionRules, createLimitedServer, limitConnections } from './connection-limits.ts';

const START = 1_800_000_000_000;

/** A server without a network: connections and requests are events. */
function setUp(maxConnections: number) {
  const server = new EventEmitter() as Server;
  const clock = createFakeClock(START);
  const places = limitConnections(server, {
    maxConnections,
    clock,
    serve: () => undefined,
    answerBroken: async () => ({ status: 400, headers: {}, body: '' }),
  });
  const openFrom = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      writable: true,
      text: '',
      end(text: string) {
        socket.text = text;
      },
      destroy() {
        if (socket.destroyed) return;
        socket.destroyed = true;
        // As sockets do: the event comes later.
        queueMicrotask(() => socket.emit('close'));
      },
    });
    server.emit('connection', socket);
    return socket as unknown as Socket;
  };
  const request = (socket: Socket, complete = true) => {
    const received = { socket, complete } as IncomingMessage;
    const response = Object.assign(new EventEmitter(), { req: received, headersSent: false });
    server.emit('request', received, response);
    return response as unknown as ServerResponse & { headersSent: boolean; req: { complete: boolean } };
  };
  const use = (socket: Socket) => {
    const response = request(socket);
    places.approved(socket);
    response.emit('close');
  };
  const open = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length;
  return { server, clock, places, openFrom, request, use, open };
}

const many = <Item>(count: number, make: (position: number) => Item) =>
  Array.from({ length: count }, (_, position) => make(position));

test('strangers have every place that is free, and the newest of them always has one', () => {
  const { openFrom, open } = setUp(100);
  const flood = many(1000, () => openFrom('203.0.113.7'));
  assert.equal(open(flood), 100, 'never more than there are places');
  assert.ok(
    flood.slice(-100).every(({ destroyed }) => !destroyed),
    'the oldest went first',
  );
});

test('whoever holds most of them gives a place away, not the one who came first', () => {
  const { openFrom, open } = setUp(40);
  const patient = openFrom('198.51.100.1');
  const flood = many(500, (position) => openFrom(`2001:db8:1:2::${(position + 1).toString(16)}`));
  const other = openFrom('198.51.100.2');
  assert.ok(!patient.destroyed && !other.destroyed);
  assert.equal(open(flood), 38, 'a whole /64 is one caller');
});

test('no flood of newcomers closes an approved connection, busy or idle', () => {
  const { openFrom, open, use } = setUp(40);
  const assistants = many(30, () => {
    const socket = openFrom('198.51.100.1');
    use(socket);
    return socket;
  });
  many(500, () => openFrom('198.51.100.1'));
  assert.equal(open(assistants), 30);
});

test('when approved callers have every place, the one that is idle for longest makes room', () => {
  const { openFrom, open, use, request } = setUp(40);
  const assistants = many(30, () => {
    const socket = openFrom('198.51.100.1');
    use(socket);
    return socket;
  });
  const [first, second, third] = assistants;
  assert.ok(first && second && third);
  request(first);
  use(second);
  const next = openFrom('198.51.100.3');
  use(next);
  assert.deepEqual(
    [first, second, third, next].map(({ destroyed }) => destroyed),
    [false, false, true, false],
    'the first is busy, the second was used again',
  );
  assert.equal(open(assistants), 29);
});

test('when all of them are busy, a newcomer is served on the place of a newcomer, and newcomers still come in', () => {
  const { openFrom, open, places, request } = setUp(8);
  const busy = many(6, () => {
    const socket = openFrom('198.51.100.1');
    request(socket);
    places.approved(socket);
    return socket;
  });
  const seventh = openFrom('198.51.100.2');
  request(seventh);
  places.approved(seventh);
  assert.equal(open([...busy, seventh]), 7);
  const checks = many(5, () => openFrom('198.51.100.3'));
  assert.equal(open(busy), 6);
  assert.ok(!checks.at(-1)?.destroyed);
});

test('where all places are taken, a request that is being answered goes last', () => {
  const { openFrom, request } = setUp(4);
  const waiting = openFrom('203.0.113.7');
  request(waiting);
  const idle = many(3, () => openFrom('203.0.113.7'));
  openFrom('203.0.113.7');
  assert.deepEqual(
    [waiting, ...idle].map(({ destroyed }) => destroyed),
    [false, true, false, false],
  );
});

test('a request that has arrived and is worked on outlasts all that is waited for, whoever it is from', () => {
  for (const flooder of ['203.0.113.7', '198.51.100.1']) {
    const { openFrom, request, open } = setUp(40);
    const worked = openFrom('203.0.113.7');
    request(worked);
    const unfinished = many(500, () => {
      const socket = openFrom(flooder);
      request(socket, false);
      return socket;
    });
    assert.ok(!worked.destroyed, 'an unfinished body goes first');
    assert.equal(open(unfinished), 39);
    assert.ok(!unfinished.at(-1)?.destroyed);
  }
});

test('places are free again when connections close', async () => {
  const { openFrom, open, use } = setUp(40);
  const gone = many(30, () => {
    const socket = openFrom('198.51.100.1');
    use(socket);
    return socket;
  });
  for (const socket of gone) socket.destroy();
  await Promise.resolve();
  const next = many(30, () => {
    const socket = openFrom('198.51.100.1');
    use(socket);
    return socket;
  });
  assert.equal(open(next), 30);
});

test('what cannot be read is answered only where no client can mistake the answer', async () => {
  const { server, openFrom, request } = setUp(40);
  const isAnswered = async (prepare: (socket: Socket) => void, code = 'HPE_INVALID_METHOD') => {
    const socket = openFrom('198.51.100.1');
    prepare(socket);
    server.emit('clientError', Object.assign(new Error(), { code }), socket);
    await new Promise((resolve) => setImmediate(resolve));
    const { text } = socket as Socket & { readonly text: string };
    assert.equal(socket.destroyed, text === '');
    return text.startsWith('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  };
  assert.ok(await isAnswered(() => {}), 'nothing was asked before');
  assert.ok(!(await isAnswered(() => {}, 'ERR_HTTP_REQUEST_TIMEOUT')), 'nothing was asked at all');
  assert.ok(!(await isAnswered(() => {}, 'ECONNRESET')));
  assert.ok(!(await isAnswered((socket) => request(socket))), 'as the answer to the first request');
  assert.ok(await isAnswered((socket) => request(socket).emit('close')));
  assert.ok(await isAnswered((socket) => request(socket, false)), 'its body is what cannot be read');
  assert.ok(await isAnswered((socket) => request(socket, false), 'ERR_HTTP_REQUEST_TIMEOUT'));
  const early = (socket: Socket) => Object.assign(request(socket, false), { headersSent: true });
  assert.ok(!(await isAnswered(early)), 'it was answered before its body came');
  assert.ok(!(await isAnswered((socket) => early(socket).emit('close'))));
});

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Connects to a real server. */
async function listen(t: TestContext, serve: ConnectionRules['serve']) {
  const clock = createFakeClock(START);
  const limited = createLimitedServer({ maxConnections: 8, maxAnswerMs: 1000, clock, serve });
  const { port } = new URL(await limited.listen({ host: '127.0.0.1', port: 0 }));
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return limited.close();
  });
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  return { ...limited, open };
}

test('a connection with more than eight unanswered requests is closed, and their clients count as gone', async (t: TestContext) => {
  const asked: string[] = [];
  let gone = 0;
  const { open } = await listen(t, (request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/honest') response.end('ok');
    return {
      leave() {
        gone += 1;
      },
    };
  });
  const honest = await open();
  const greedy = await open();
  // Node reads all that a chunk brings in one turn.
  greedy.write(GET.repeat(200));
  await once(greedy.resume(), 'close');
  assert.equal(asked.length, 8);
  honest.write(GET.replace('/', '/honest'));
  await once(honest, 'data');
  assert.deepEqual(asked.slice(8), ['/honest']);
  assert.ok(gone >= 8);
});

test('eight at a time may follow each other on a connection for ever', async (t: TestContext) => {
  let asked = 0;
  const { open } = await listen(t, (_request, response) => {
    asked += 1;
    response.end('ok');
    return undefined;
  });
  const proxy = await open();
  let answered = 0;
  proxy.on('data', (chunk: Buffer) => {
    answered += String(chunk).split('HTTP/1.1 200').length - 1;
    proxy.emit('answered');
  });
  for (let round = 1; round <= 5; round += 1) {
    proxy.write(GET.repeat(8));
    while (answered < round * 8) await once(proxy, 'answered');
  }
  assert.deepEqual([asked, proxy.destroyed], [40, false]);
});

test('it counts real connections and requests', async (t: TestContext) => {
  const { open, approved } = await listen(t, (request, response) => {
    approved(request.socket);
    response.end('ok');
    return undefined;
  });
  const assistant = await open();
  assistant.write(GET);
  await once(assistant, 'data');
  // One more than there are places for.
  const [first] = await Promise.all(many(8, open));
  assert.ok(first);
  await once(first.resume(), 'close');
  assistant.write(GET);
  const [answer] = await once(assistant, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200/);
});
