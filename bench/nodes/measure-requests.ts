import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CORES } from '../child.ts';
import { plainSockets } from '../load/load-generator.ts';
import { EXPECTED_OUTCOMES, type RequestKind } from '../load/slice.ts';
import { completeSearches, openSessions } from '../sessions.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { forEachSide, type NodeParts, originsOf, type Side } from './node-parts.ts';
import { createSpreadClient } from './spread-client.ts';

export type RequestsCompared = SidesCompared & {
  readonly kind: RequestKind;
  readonly connections: number;
  /** Outcome → count of answers that were not as expected. */
  readonly unexpected: Readonly<Record<string, number>>;
};

export type RequestsWork = {
  readonly connections: number;
  readonly slices: number;
  readonly warmUpSlices: number;
  readonly seconds: number;
  readonly stepSessions: number;
  readonly resultSessions: number;
};

/** Durable steps, steps that are read and repeated results. Connections are spread over the nodes, and sessions over connections. */
export async function* measureRequests(
  parts: NodeParts,
  work: RequestsWork,
): AsyncGenerator<RequestsCompared> {
  const { services, folder } = parts;
  const writeTokens = async (side: Side, name: string, count: number, areComplete: boolean) => {
    const tokens = await sessionsOf(originsOf(services[side]), count, areComplete);
    const file = join(folder, `${name}-${side}`);
    writeFileSync(file, `${tokens.join('\n')}\n`);
    return file;
  };
  const steps = await forEachSide((side) => writeTokens(side, 'steps', work.stepSessions, false));
  const results = await forEachSide((side) => writeTokens(side, 'results', work.resultSessions, true));
  const filesOf = { step: steps, read: steps, result: results };
  const everyService = [...services.embedded, ...services[4]];
  let ordinal = 0;

  for (const kind of ['step', 'read', 'result'] as const) {
    for (const service of everyService) await service.ask('answered');
    const compared = await compareSides({
      ...work,
      parts,
      run: async (side) => {
        ordinal += 1;
        const [origin = '', ...otherOrigins] = originsOf(services[side]);
        const { connections, seconds } = work;
        const slice = { origin, otherOrigins, kind, ordinal, connections, seconds, cores: ALL_CORES };
        return () => plainSockets.run({ ...slice, tokensFile: filesOf[kind][side] });
      },
    });
    const unexpected: Record<string, number> = {};
    for (const service of everyService) {
      const answered = await service.ask<Record<string, number>>('answered');
      for (const [outcome, count] of Object.entries(answered)) {
        // The load stops in the middle of some requests, which nobody waits for any more.
        if (outcome === EXPECTED_OUTCOMES[kind] || outcome === 'search abandoned') continue;
        unexpected[outcome] = (unexpected[outcome] ?? 0) + count;
      }
    }
    yield { ...compared, kind, connections: work.connections, unexpected };
  }
}

async function sessionsOf(
  origins: readonly string[],
  count: number,
  areComplete: boolean,
): Promise<readonly string[]> {
  const client = createSpreadClient(origins, 32);
  try {
    const tokens = await openSessions(client, count);
    if (areComplete) await completeSearches(client, tokens);
    return tokens;
  } finally {
    await client.close();
  }
}
