import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { formatDay } from '../../src/stay/day.ts';
import { createNeighbourClient, type NeighbourClient } from './neighbour-client.ts';
import { brandEntry, networkFile, property } from './network.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe.preload.ts';
import { type ScriptedOperator, type ScriptedProperty, startScriptedOperator } from './scripted-operator.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PROBE = new URL('./probe.preload.ts', import.meta.url).href;
const REFRESH_SECONDS = 5;
/** Two assistants, told apart by the loopback address from which they call. */
const REGISTRY = {
  assistants: [approved('greedy', '127.0.0.2/32'), approved('modest', '127.0.0.3/32')],
};
export const TODAY = Math.floor(Date.now() / 86_400_000);

/** A service as its owner runs it, with a hostile and an honest operator, and clients that do not know of each other. */
export type Neighbourhood = {
  readonly origin: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly honest: ScriptedOperator;
  readonly hostile: ScriptedOperator;
  readonly greedy: NeighbourClient;
  readonly modest: NeighbourClient;
  clientAt(address: string): NeighbourClient;
  /** The longest time in CPU milliseconds for which the event loop was held since the last question. */
  longestHoldMs(): Promise<number>;
  /** After a collection. */
  heapBytes(): Promise<number>;
  stepWallClock(byMs: number): Promise<void>;
  output(): string;
  close(): Promise<void>;
};

export async function startNeighbourhood({
  honest: honestHomes = homes('honest', 3),
  hostile: hostileHomes = homes('hostile', 1),
  entries = {},
  env = {},
  nodeOptions = [],
  descriptors,
}: {
  readonly honest?: readonly ScriptedProperty[];
  readonly hostile?: readonly ScriptedProperty[];
  readonly entries?: Readonly<Record<string, Partial<NetworkFile['brands'][number]>>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** The limit on open files and connections of the process. */
  readonly descriptors?: number;
} = {}): Promise<Neighbourhood> {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-neighbours-'));
  const dataDirectory = join(folder, 'data');
  const [honest, hostile] = [await startScriptedOperator(), await startScriptedOperator()];
  honest.properties = [...honestHomes];
  hostile.properties = [...hostileHomes];
  const network: NetworkFile = {
    ...networkFile([
      { ...patientEntry('honest', honest.origin), ...entries.honest },
      { ...patientEntry('hostile', hostile.origin), ...entries.hostile },
    ]),
    refresh_seconds: REFRESH_SECONDS,
  };
  const files = { network: join(folder, 'network.json'), registry: join(folder, 'assistants.json') };
  writeFileSync(files.network, JSON.stringify(network));
  writeFileSync(files.registry, JSON.stringify(REGISTRY));
  const child = startChild(
    { descriptors, nodeOptions },
    {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      STAYWIRE_METRICS_PORT: 'off',
      STAYWIRE_CONSOLE_PORT: 'off',
      STAYWIRE_LOG_LEVEL: 'warn',
      STAYWIRE_DATA_DIR: dataDirectory,
      STAYWIRE_NETWORK: files.network,
      STAYWIRE_ASSISTANTS: files.registry,
      STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8,::1/128',
      STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8,::1/128',
      STAYWIRE_RATE_LIMIT: '1000000',
      STAYWIRE_QUOTE_DEADLINE_MS: '30000',
      ...env,
    },
  );
  const clients: NeighbourClient[] = [];
  let output = '';
  const ready = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const said = /Staywire serves .* on (http:\S+)/.exec(output);
      if (said?.[1]) ready.resolve(said[1]);
    });
  }
  child.once('close', (code) => ready.reject(new Error(`the service ended with ${code}:\n${output}`)));
  const origin = await ready.promise.catch(async (fault: unknown) => {
    await close();
    throw fault;
  });
  const port = Number(new URL(origin).port);
  const neighbourhood: Neighbourhood = {
    origin,
    port,
    dataDirectory,
    honest,
    hostile,
    greedy: clientAt('127.0.0.2'),
    modest: clientAt('127.0.0.3'),
    clientAt,
    longestHoldMs: () => ask(child, { ask: 'hold' }),
    heapBytes: () => ask(child, { ask: 'heap' }),
    stepWallClock: async (byMs) => void (await ask(child, { ask: 'stepWallClock', byMs })),
    output: () => output,
    close,
  };
  // Code is compiled on first use, which is not what a neighbour causes.
  for (let round = 0; round < 3; round += 1) await neighbourhood.modest.search();
  await neighbourhood.longestHoldMs();
  return neighbourhood;

  function clientAt(address: string): NeighbourClient {
    const client = createNeighbourClient({ port, address, stay: stayIn('lisbon-pt') });
    clients.push(client);
    return client;
  }

  async function close(): Promise<void> {
    for (const client of clients) client.close();
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const ended = hasEnded ? Promise.resolve() : once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    await Promise.all([honest.close(), hostile.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** So many homes that are free for months, each night at the price given. */
export function homes(
  prefix: string,
  count: number,
  changes: (index: number) => Parameters<typeof property>[1] = () => ({}),
  nightly: string | null = '50.00',
): ScriptedProperty[] {
  const price = nightly === null ? {} : { price: nightly };
  return Array.from({ length: count }, (_, index) =>
    property(`${prefix}-${index}`, changes(index), [
      { from: formatDay(TODAY - 1), to: formatDay(TODAY + 200), available: true, ...price },
    ]),
  );
}

export function stayIn(destination: string) {
  const checkIn = formatDay(TODAY + 30);
  return {
    destination,
    check_in_month: checkIn.slice(0, 7),
    check_in_day: checkIn,
    check_out: formatDay(TODAY + 33),
    guests: '2',
  };
}

/** Resolves after the operator has answered so many further calls of this path. */
export async function callsOf(operator: ScriptedOperator, path: string, count = 1): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = operator.misbehave;
  let left = count;
  operator.misbehave = (asked, response) => {
    if (asked === path) {
      response.once('close', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
    return before(asked, response);
  };
  await promise;
  operator.misbehave = before;
}

function startChild(
  {
    descriptors,
    nodeOptions,
  }: { readonly descriptors: number | undefined; readonly nodeOptions: readonly string[] },
  env: Record<string, string>,
): ChildProcess {
  const args = ['--expose-gc', `--import=${PROBE}`, ...nodeOptions, MAIN];
  const [command, given] =
    descriptors === undefined
      ? [process.execPath, args]
      : ['sh', ['-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath, ...args]];
  return spawn(command, given, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
}

/** On a slow machine an operator answers late. */
function patientEntry(source: string, origin: string): NetworkFile['brands'][number] {
  const entry = brandEntry(source, origin);
  return { ...entry, booking_system: { kind: 'open', url: origin, timeout_ms: 30_000 } };
}

async function ask(child: ChildProcess, question: ProbeQuestion): Promise<number> {
  const answer = once(child, 'message');
  child.send(question);
  const [{ value }] = (await answer) as [ProbeAnswer];
  return value;
}

function approved(id: string, network: string) {
  return { id, name: id, status: 'approved', recognised_by: [{ network: [network] }] };
}
