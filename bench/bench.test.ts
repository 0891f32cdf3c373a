import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { countCalls } from './calls.ts';
import { type Client, createClient } from './client.ts';
import { measureSearchLatency } from './latency.ts';
import { plainSockets } from './load/load-generator.ts';
import { median, quantile } from './median.ts';
import { type Parts, startParts } from './parts.ts';
import { sampleRead, sampleResult, sampleStep } from './samples.ts';
import { completeSearches, openSessions } from './sessions.ts';

type Stored = { readonly sessions: number; readonly keys: number };

/**
 * Checks with a handful of requests that each part works and measures what it should. Speed is not tested, because it
 * depends on the machine.
 */
describe('the parts of the benchmark', () => {
  let parts: Parts;
  let client: Client;
  let bare: Client;
  let floor: Client;

  before(async () => {
    parts = await startParts();
    client = createClient(parts.service.ready, 4);
    bare = createClient(parts.bare.ready, 1);
    floor = createClient(parts.floor.ready, 4);
  });
  after(async () => {
    await Promise.all([client?.close(), bare?.close(), floor?.close()]);
    await parts?.close();
  });

  it('sample steps and results, and the servers beside the service send the same bytes', async () => {
    const tokens = await openSessions(client, 2);
    const step = await sampleStep(client, tokens);
    const read = await sampleRead(client, tokens);
    await completeSearches(client, tokens);
    const result = await sampleResult(client, tokens);
    assert.ok(Math.abs(result.length - 33_000) < 4000, `${result.length} bytes are not about 33 KB`);
    for (const sample of [step, read, result]) {
      for (const [server, caller] of [
        [parts.bare, bare],
        [parts.floor, floor],
      ] as const) {
        await server.ask('imitate', sample);
        const { text } = await caller.post('/ai/v1/search', {});
        assert.deepEqual(JSON.parse(text), JSON.parse(sample));
        assert.equal(Buffer.byteLength(text), Buffer.byteLength(sample));
      }
    }
  });

  it('answers at the floor once every session and key is on disk', async () => {
    const steps = Array.from({ length: 40 }, (_, step) => `session=${step % 4}&idempotency_key=key-${step}`);
    const before = await parts.floor.ask<Stored>('stored');
    await Promise.all(steps.map((query) => floor.post(`/ai/v1/search?${query}`, { guests: '2' })));
    const after = await parts.floor.ask<Stored>('stored');
    assert.deepEqual([after.sessions - before.sessions, after.keys - before.keys], [4, 40]);
  });

  it('loads the service with steps that are all answered as steps, without replays', async () => {
    const tokensFile = join(parts.folder, 'tokens');
    writeFileSync(tokensFile, `${(await openSessions(client, 8)).join('\n')}\n`);
    await parts.service.ask('answered');
    const outcome = await plainSockets.run({
      origin: parts.service.ready,
      kind: 'step',
      connections: 2,
      // Long enough for a request also on a busy machine.
      seconds: 1,
      tokensFile,
      ordinal: 1,
    });
    const answered = await parts.service.ask<Record<string, number>>('answered');
    // The load stops in the middle of a request, which nobody waits for any more.
    const { 'search abandoned': _, ...others } = answered;
    assert.deepEqual(Object.keys(others), ['search incomplete_payload']);
    assert.ok(outcome.requests > 0);
    assert.equal(outcome.failures, 0);
  });

  it('counts the calls of a request: a cached step is cheaper', async () => {
    const counted = await countCalls();
    for (const { files, calls } of counted) assert.ok(files > 10 && calls > files);
    const [, fresh, repeated] = counted;
    assert.ok(fresh && repeated && repeated.calls < fresh.calls);
  });

  it('measures searches that wait for the operators', async () => {
    const { search, operators } = await measureSearchLatency({
      parts,
      operatorMs: 10,
      searches: 1,
      concurrency: 1,
    });
    assert.ok(search.median >= 9 && operators.median >= 9, 'nothing is faster than the operators');
  });
});

it('median and quantile of a list', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(quantile([3, 1, 2, 4], 0.95), 4);
});
