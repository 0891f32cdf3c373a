import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStorage } from '../src/storage/sqlite/storage.ts';
import { converse } from '../test/support/conversation.ts';
import { brandEntry, networkFile, property } from '../test/support/network.ts';
import { startScriptedOperator } from '../test/support/scripted-operator.ts';
import { startTestService } from '../test/support/test-service.ts';

/** How much of `src/` one request runs through. */
export type CallCount = { readonly request: string; readonly files: number; readonly calls: number };

const SOURCE = new URL('../src/', import.meta.url).href;

/** Counts the calls of three requests to the service on SQLite, with V8's coverage counters. */
export async function countCalls(): Promise<readonly CallCount[]> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-calls-'));
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b'), property('c', { place: 'porto-pt' })];
  const rateRule = { limit: 1000, windowMs: 60_000 };
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    storage: await openSqliteStorage({ directory, rateRule }),
  });
  const inspector = new Session();
  inspector.connect();
  try {
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const [reader, other, fresh, repeating] = await Promise.all(
      Array.from({ length: 4 }, () => converse(service)),
    );
    if (!reader || !other || !fresh || !repeating) throw new Error('four sessions were opened');
    const key = (name: string) => ({ 'idempotency-key': name });
    // Loads everything that is created on first use, so that it is not counted.
    await other.send({});
    await other.send({ destination: 'lisbon-pt' }, key('first'));
    const count = async (request: string, send: () => Promise<unknown>): Promise<CallCount> => {
      await inspector.post('Profiler.takePreciseCoverage');
      await send();
      return { request, ...(await callsSince(inspector)) };
    };
    return [
      await count('a step that is read', () => reader.send({})),
      await count('a value, with a step that is not cached', () =>
        fresh.send({ destination: 'porto-pt' }, key('fresh')),
      ),
      await count('a value, with a cached step', () =>
        repeating.send({ destination: 'lisbon-pt' }, key('repeated')),
      ),
    ];
  } finally {
    inspector.disconnect();
    await service.close();
    await operator.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function callsSince(inspector: Session): Promise<Pick<CallCount, 'files' | 'calls'>> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const calls = result
    .filter(({ url }) => url.startsWith(SOURCE))
    .map(({ functions }) => functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0))
    .filter((count) => count > 0);
  return { files: calls.length, calls: calls.reduce((sum, count) => sum + count, 0) };
}

if (import.meta.main) {
  for (const { request, files, calls } of await countCalls()) {
    console.log(`${request}: ${calls} calls in ${files} files`);
  }
  process.exit();
}
