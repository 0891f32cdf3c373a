import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { openAuditLog } from '../src/telemetry/audit/audit-log.ts';
import type { AuditRecord, RecordAudit } from '../src/telemetry/audit/audit-record.ts';
import { createAuditRecorder } from '../src/telemetry/audit/audit-recorder.ts';
import { converse } from '../test/support/conversation.ts';
import { brandEntry, networkFile, property } from '../test/support/network.ts';
import { startScriptedOperator } from '../test/support/scripted-operator.ts';
import { startTestService } from '../test/support/test-service.ts';
import { createClient, mapConcurrently } from './client.ts';
import { median } from './median.ts';

/**
 * `node bench/audit.process.ts`: what the audit log adds to a step that is read, the cheapest request of a search. One service, one
 * thread; slices with and without it take turns, and processor time of the service's thread and of its disk threads is compared.
 */
const REQUESTS_IN_A_SLICE = 2_000;
const SLICES = 40;
const CONNECTIONS = 16;

if (process.argv[2] === 'load') await load(process.argv[3] ?? '', process.argv[4] ?? '');
else await measure();

/** In a process of its own, so that its work does not count. */
async function load(origin: string, path: string): Promise<void> {
  const client = createClient(origin, CONNECTIONS);
  process.on('message', async () => {
    await mapConcurrently(Array.from({ length: REQUESTS_IN_A_SLICE }), CONNECTIONS, () => client.get(path));
    process.send?.('done');
  });
}

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-audit-'));
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const log = openAuditLog({
    directory,
    days: 1,
    clock: systemClock,
    observe: {
      closed() {},
      torn() {},
      damaged() {},
      taken() {},
      pruned() {},
      failed: console.error,
      lost: console.error,
    },
  });
  const recorder = createAuditRecorder({ clock: systemClock, send: log.write });
  const nothing: RecordAudit = () => {};
  let audit = nothing;
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    settings: { rateLimit: 1_000_000 },
    // The clock of tests stands still.
    audit: (record: AuditRecord) => audit({ ...record, at: Date.now() }),
  });
  const { token } = await converse(service);
  const origin = await service.listen();
  const path = `/ai/v1/search?session=${token}`;
  const caller = fork(fileURLToPath(import.meta.url), ['load', origin, path]);
  const slice = async (isAudited: boolean) => {
    audit = isAudited ? recorder.record : nothing;
    const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()];
    caller.send('go');
    await once(caller, 'message');
    // What was gathered is written within the slice.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const perRequest = ({ user, system }: NodeJS.CpuUsage) => (user + system) / REQUESTS_IN_A_SLICE;
    return { thread: perRequest(process.threadCpuUsage(thread)), all: perRequest(process.cpuUsage(all)) };
  };
  const taken: Awaited<ReturnType<typeof slice>>[][] = [[], []];
  for (let turn = 0; turn < SLICES; turn += 1) {
    const isAudited = turn % 2 === 1;
    const used = await slice(isAudited);
    // The first ones warm up.
    if (turn >= 8) taken[Number(isAudited)]?.push(used);
  }
  for (const member of ['thread', 'all'] as const) {
    const [off = Number.NaN, on = Number.NaN] = taken.map((some) => median(some.map((one) => one[member])));
    const text = `${off.toFixed(1)} µs without, ${on.toFixed(1)} µs with: ${(on - off).toFixed(1)} µs more, ${(on / off).toFixed(3)} times`;
    process.stdout.write(`${member === 'thread' ? 'thread that answers' : 'whole process'}: ${text}\n`);
  }
  caller.kill();
  recorder.close();
  await log.close();
  await service.close();
  await operator.close();
  rmSync(directory, { recursive: true });
}
