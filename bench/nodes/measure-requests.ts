import { join } from 'node:path';
import { ALL_CORES } from '../child.ts';
import { plainSockets } from '../load/load-generator.ts';
import { writeTokens } from '../load/session-tokens.ts';
import type { RequestKind } from '../load/slice.ts';
import { unexpectedOutcomes } from '../load/unexpected-outcomes.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { forEachSide, type NodeParts, originsOf } from './node-parts.ts';
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
  const tokensFor = (name: string, count: number, areComplete: boolean) =>
    forEachSide(async (side) => {
      const file = join(folder, `${name}-${side}`);
      const client = createSpreadClient(originsOf(services[side]), 32);
      await writeTokens(file, client, { count, areComplete });
      return file;
    });
  const steps = await tokensFor('steps', work.stepSessions, false);
  const results = await tokensFor('results', work.resultSessions, true);
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
    const unexpected = await unexpectedOutcomes(everyService, kind);
    yield { ...compared, kind, connections: work.connections, unexpected };
  }
}
