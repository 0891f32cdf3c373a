import { readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';
import { type Slice, type SliceOutcome, STEP_BODIES } from './slice.ts';

/** Sends the same requests as requests.lua, where wrk is not installed. Takes a slice as JSON and prints its outcome as JSON. */
const slice: Slice = JSON.parse(process.argv[2] ?? '');
const { kind, ordinal } = slice;
const tokens = readFileSync(slice.tokensFile, 'utf8').trim().split('\n');
const headers = { 'content-type': 'application/json' };
let sent = 0;

const result = await autocannon({
  url: slice.origin,
  connections: slice.connections,
  duration: slice.seconds,
  // autocannon checks the duration only when it takes a sample.
  sampleInt: Math.min(1000, slice.seconds * 1000),
  requests: [{ setupRequest: nextRequest }],
});
process.stdout.write(
  JSON.stringify({
    requests: result['2xx'],
    seconds: result.duration,
    failures: result.errors + result.timeouts + result.non2xx,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  } satisfies SliceOutcome),
);

function nextRequest(request: Request): Request {
  const token = tokens[sent % tokens.length];
  const turn = Math.floor(sent / tokens.length) + ordinal;
  sent += 1;
  const common = { ...request, headers };
  if (kind === 'result') return { ...common, method: 'GET', path: `/ai/v1/result?session=${token}` };
  const path = `/ai/v1/search?session=${token}`;
  if (kind === 'read') return { ...common, method: 'POST', path, body: '{}' };
  return {
    ...common,
    method: 'POST',
    path: `${path}&idempotency_key=bench-${ordinal}-${sent}`,
    body: STEP_BODIES[turn % STEP_BODIES.length] ?? '',
  };
}
