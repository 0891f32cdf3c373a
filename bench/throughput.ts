import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from './child.ts';
import { EXPECTED_OUTCOMES, type LoadGenerator, type RequestKind, type SliceOutcome } from './load/slice.ts';
import { median } from './median.ts';
import type { Parts } from './parts.ts';

export type Scenario = {
  readonly title: string;
  readonly kind: RequestKind;
  readonly connections: number;
  readonly logLevel: 'silent' | 'info';
  /** All servers are pinned to these. The load runs on the second core. */
  readonly cores: readonly number[];
  /** Required throughput as a share of the bare server's; null for a point of a curve. */
  readonly goal: number | null;
};

/** Medians over the slices of one server. */
export type Throughput = {
  readonly requestsPerSecond: number;
  readonly processorMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type Comparison = {
  readonly scenario: Scenario;
  readonly bytes: number;
  readonly service: Throughput;
  readonly bare: Throughput;
  /** Null for requests that store nothing: what they cost at least is what the bare server does. */
  readonly floor: Throughput | null;
  readonly ratio: number;
  /** Lowest and highest ratio of a pair of neighbouring slices. */
  readonly spread: readonly [number, number];
  readonly failures: number;
  /** Outcome → count of answers that the scenario does not expect. */
  readonly unexpected: Readonly<Record<string, number>>;
};

type Measured = SliceOutcome & { readonly processorMicroseconds: number };

/**
 * Slices of all servers take turns, so that other work on the machine affects all alike. The first slices of a kind
 * are not counted, because V8 is still optimising.
 */
export function createCompareThroughput(deps: {
  readonly parts: Parts;
  readonly generator: LoadGenerator;
  readonly slices: number;
  readonly warmUpSlices: number;
  readonly seconds: number;
}) {
  const { parts, generator, slices, warmUpSlices, seconds } = deps;
  const warm = new Set<RequestKind>();
  let ordinal = 0;

  return async (scenario: Scenario, tokens: readonly string[], sample: string): Promise<Comparison> => {
    const tokensFile = join(parts.folder, 'tokens');
    writeFileSync(tokensFile, `${tokens.join('\n')}\n`);
    const floor = scenario.kind === 'step' ? parts.floor : null;
    const servers = [parts.service, parts.bare, ...(floor ? [floor] : [])];
    for (const imitator of [parts.bare, parts.floor]) await imitator.ask('imitate', sample);
    await parts.service.ask('logLevel', scenario.logLevel);

    const measure = async (server: Child<string>): Promise<Measured> => {
      ordinal += 1;
      const { kind, connections } = scenario;
      const before = await server.ask<number>('processorTime');
      const slice = { origin: server.ready, kind, connections, seconds, tokensFile, ordinal };
      const outcome = await generator.run(slice);
      const used = (await server.ask<number>('processorTime')) - before;
      return { ...outcome, processorMicroseconds: used / Math.max(1, outcome.requests) };
    };

    const measured = new Map(servers.map((server) => [server, [] as Measured[]]));
    for (const server of servers) {
      server.pinTo(scenario.cores);
      for (let slice = 0; slice < (warm.has(scenario.kind) ? 1 : warmUpSlices); slice += 1)
        await measure(server);
    }
    warm.add(scenario.kind);
    await parts.service.ask('answered');
    for (let round = 0; round < slices; round += 1) {
      for (const [server, ofServer] of measured) ofServer.push(await measure(server));
    }
    // The load stops in the middle of some requests, which nobody waits for any more.
    const {
      [EXPECTED_OUTCOMES[scenario.kind]]: expected,
      'search abandoned': _,
      ...unexpected
    } = await parts.service.ask<Record<string, number>>('answered');
    if (expected === undefined) throw new Error(`no answer was as expected: ${JSON.stringify(unexpected)}`);
    await parts.service.ask('logLevel', 'silent');

    const slicesOf = (server: Child<string>) => measured.get(server) ?? [];
    const service = summary(slicesOf(parts.service));
    const bare = summary(slicesOf(parts.bare));
    const ofBare = slicesOf(parts.bare);
    const pairs = slicesOf(parts.service).map((one, round) => rate(one) / rate(ofBare[round] ?? one));
    return {
      scenario,
      bytes: Buffer.byteLength(sample),
      service,
      bare,
      floor: floor && summary(slicesOf(floor)),
      ratio: ratioOf(service, bare),
      spread: [Math.min(...pairs), Math.max(...pairs)],
      failures: [...measured.values()].flat().reduce((sum, { failures }) => sum + failures, 0),
      unexpected,
    };
  };
}

export function ratioOf(one: Throughput, other: Throughput): number {
  return one.requestsPerSecond / other.requestsPerSecond;
}

function rate({ requests, seconds }: SliceOutcome): number {
  return requests / seconds;
}

function summary(slices: readonly Measured[]): Throughput {
  return {
    requestsPerSecond: median(slices.map(rate)),
    processorMicroseconds: median(slices.map((slice) => slice.processorMicroseconds)),
    p50Ms: median(slices.map((slice) => slice.p50Ms)),
    p99Ms: median(slices.map((slice) => slice.p99Ms)),
  };
}
