import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { quantile } from '../median.ts';
import { processorTime } from '../parent-line.ts';
import { requestTexts } from './request-text.ts';
import { createResponseReader } from './response-reader.ts';
import type { Slice, SliceOutcome } from './slice.ts';

/**
 * Sends the same requests as requests.lua, where wrk is not installed: one at a time on each connection, over plain sockets and
 * without parsing more of the answers than their length. Takes a slice as JSON and prints its outcome as JSON.
 */
const slice: Slice = JSON.parse(process.argv[2] ?? '');
const tokens = readFileSync(slice.tokensFile, 'utf8').trim().split('\n');
const servers = [slice.origin, ...(slice.otherOrigins ?? [])].map((origin) => new URL(origin));
const nextRequest = requestTexts(slice, tokens);
const RECEIVE_BYTES = 256 * 1024;

const latencies: number[] = [];
let failures = 0;

const usedBefore = processorTime();
const startedAt = performance.now();
const endsAt = startedAt + slice.seconds * 1000;
await Promise.all(
  Array.from({ length: slice.connections }, (_, connection) =>
    converse(servers[connection % servers.length] as URL),
  ),
);
process.stdout.write(
  JSON.stringify({
    requests: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    failures,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    loadMicroseconds: processorTime() - usedBefore,
  } satisfies SliceOutcome),
);

/** Ends after the slice, with the answer to its last request. */
function converse({ hostname, port }: URL): Promise<void> {
  return new Promise((resolve) => {
    let sentAt = 0;
    const reader = createResponseReader((isOk) => {
      const now = performance.now();
      if (isOk) latencies.push(now - sentAt);
      else failures += 1;
      if (now < endsAt) send();
      else socket.end();
    });
    const socket: Socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // One buffer for all that a connection receives: otherwise each answer costs an allocation.
      onread: {
        buffer: Buffer.allocUnsafe(RECEIVE_BYTES),
        callback(length, buffer) {
          reader(buffer as Buffer, length);
          return true;
        },
      },
    });
    socket.once('connect', send);
    socket.once('error', () => {
      failures += 1;
    });
    socket.once('close', () => resolve());

    function send(): void {
      sentAt = performance.now();
      socket.write(nextRequest(), 'latin1');
    }
  });
}
