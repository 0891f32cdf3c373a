import { join } from 'node:path';
import { ALL_CORES } from '../child.ts';
import { createClient } from '../client.ts';
import { writeTokens } from '../load/session-tokens.ts';
import type { LoadGenerator, RequestKind } from '../load/slice.ts';
import { unexpectedOutcomes } from '../load/unexpected-outcomes.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { forEachSide, SIDES, type ThreadParts } from './thread-parts.ts';

export type RequestsCompared = SidesCompared & {
  readonly kind: RequestKind;
  readonly connections: number;
  /** Outcome → count of answers that were not as expected, of both services. */
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

/** Durable steps, steps that are read and repeated results, of a service with one thread and of one with two. */
export async function* measureRequests(
  parts: ThreadParts,
  generator: LoadGenerator,
  work: RequestsWork,
): AsyncGenerator<RequestsCompared> {
  const { services, folder } = parts;
  const tokensFor = (name: string, count: number, areComplete: boolean) =>
    forEachSide(async (side) => {
      const file = join(folder, `${name}-${side}`);
      await writeTokens(file, createClient(services[side].ready, 32), { count, areComplete });
      return file;
    });
  const steps = await tokensFor('steps', work.stepSessions, false);
  const results = await tokensFor('results', work.resultSessions, true);
  const filesOf = { step: steps, read: steps, result: results };
  const everyService = SIDES.map((side) => services[side]);
  let ordinal = 0;

  for (const kind of ['step', 'read', 'result'] as const) {
    for (const service of everyService) await service.ask('answered');
    const compared = await compareSides({
      ...work,
      services,
      run: async (side) => {
        ordinal += 1;
        const slice = { kind, ordinal, connections: work.connections, seconds: work.seconds };
        return () =>
          generator.run({
            ...slice,
            origin: services[side].ready,
            tokensFile: filesOf[kind][side],
            cores: ALL_CORES,
          });
      },
    });
    const unexpected = await unexpectedOutcomes(everyService, kind);
    yield { ...compared, kind, connections: work.connections, unexpected };
  }
}
