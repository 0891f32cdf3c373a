import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { FuzzTarget } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { oddText } from '../odd-values.ts';
import { damaged } from '../spell-json.ts';
import { startStillService } from '../still-network.ts';

const METHODS: readonly string[] = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'PRI',
  'get',
  'G\tT',
  '',
];
const TARGETS: readonly string[] = [
  '/ai/v1/auth',
  '/ai/v1/search?session=ses_x',
  '/ai/v1/schema',
  '/healthz',
  '/',
  '*',
  'http://evil.example/ai/v1/auth',
  '//evil.example/ai/v1/auth',
  'evil.example:443',
  '/ai/v1/%',
  '/ai/v1/auth#x',
  '/ai/v1/\x80',
];
const VERSIONS: readonly string[] = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'http/1.1',
  '',
];
const LINES: readonly string[] = [
  'Host: localhost',
  'Host:',
  'Host: a\r\nHost: b',
  'Content-Type: application/json',
  'Content-Length: 2',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length: 2, 2',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding : chunked',
  'Expect: 100-continue',
  'Expect: a-miracle',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: close',
  'Accept-Encoding: br;q=1, gzip',
  ' folded: line',
  'No colon here',
  ': no name',
  'X-Null: \0',
];
const BODIES: readonly string[] = [
  '',
  '{}',
  '{"source":"acme"}',
  '2\r\n{}\r\n0\r\n\r\n',
  'zz\r\n{}\r\n',
  '0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
];
const ENDS: readonly string[] = ['\r\n', '\r\n', '\r\n', '\n', '\r'];

/** Bytes over real connections, of which many are no HTTP. */
export const sockets: FuzzTarget = {
  name: 'sockets',
  weight: 6,
  // Of both ends, and of all the seconds for which a request that is never finished is waited for.
  maxCpuMs: 150,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    const { port } = new URL(await service.listen());
    return {
      async run(random, timed) {
        const bytes = bytesFrom(random);
        checkAnswers(await timed(() => answersTo(Number(port), bytes)));
        service.logLines.length = 0;
      },
      close: () => service.close(),
    };
  },
};

function bytesFrom(random: InputRandom): Buffer {
  const requests = Array.from({ length: random.oneIn(5) ? 3 : 1 }, () => requestFrom(random));
  const bytes = Buffer.from(requests.join(''), 'latin1');
  if (random.oneIn(5)) return damaged(bytes, random);
  return random.oneIn(5) ? bytes.subarray(0, random.integer(bytes.length + 1)) : bytes;
}

function requestFrom(random: InputRandom): string {
  const end = random.pick(ENDS);
  const target = random.oneIn(6) ? `/${oddText(random)}` : random.pick(TARGETS);
  const method = random.oneIn(3) ? random.pick(METHODS) : random.pick(['GET', 'POST']);
  const lines = Array.from({ length: random.integer(6) }, () =>
    random.oneIn(8) ? `X-Odd: ${oddText(random)}` : random.pick(LINES),
  );
  if (!random.oneIn(3)) lines.unshift('Host: localhost');
  const head = [`${method} ${target} ${random.pick(VERSIONS)}`, ...lines].join(end);
  return `${head}${end}${end}${random.pick(BODIES)}`;
}

/** Everything that came back until the connection was closed by the service. */
function answersTo(port: number, bytes: Buffer): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const received: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => received.push(data));
  // A reset while bytes are still being written is the service's right.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(Buffer.concat(received)));
  // Half closed: what is missing never comes, and the answer can still be read.
  socket.end(bytes);
  return promise;
}

function checkAnswers(received: Buffer): void {
  if (received.length === 0) return;
  const text = received.toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  assert.ok(status >= 100 && status < 500, `the answer begins with ${JSON.stringify(text.slice(0, 200))}`);
  assert.ok(!text.includes('evil.example'), 'a foreign address is repeated');
  assert.ok(!/^\s+at .*\.ts:\d+/m.test(text), 'a stack trace');
}
