import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CORES } from '../child.ts';
import { createClient } from '../client.ts';
import { EXPECTED_OUTCOMES, type LoadGenerator, type RequestKind } from '../load/slice.ts';
import { completeSearches, openSessions } from '../sessions.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { forEachSide, type PerSide, SIDES, type ThreadParts } from './thread-parts.ts';

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
  const stepTokens = await forEachSide((side) => sessionsOf(services[side].ready, work.stepSessions, false));
  const resultTokens = await forEachSide((side) =>
    sessionsOf(services[side].ready, work.resultSessions, true),
  );
  const tokensOf = { step: stepTokens, read: stepTokens, result: resultTokens };
  let ordinal = 0;

  for (const kind of ['step', 'read', 'result'] as const) {
    const files = writeTokens(folder, kind, tokensOf[kind]);
    for (const side of SIDES) await services[side].ask('answered');
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
            tokensFile: files[side],
            cores: ALL_CORES,
          });
      },
    });
    const unexpected: Record<string, number> = {};
    for (const side of SIDES) {
      // The load stops in the middle of some requests, which nobody waits for any more.
      const {
        [EXPECTED_OUTCOMES[kind]]: _,
        'search abandoned': __,
        ...others
      } = await services[side].ask<Record<string, number>>('answered');
      for (const [outcome, count] of Object.entries(others)) {
        unexpected[outcome] = (unexpected[outcome] ?? 0) + count;
      }
    }
    yield { ...compared, kind, connections: work.connections, unexpected };
  }
}

async function sessionsOf(origin: string, count: number, areComplete: boolean): Promise<readonly string[]> {
  const client = createClient(origin, 32);
  try {
    const tokens = await openSessions(client, count);
    if (areComplete) await completeSearches(client, tokens);
    return tokens;
  } finally {
    await client.close();
  }
}

function writeTokens(folder: string, kind: RequestKind, tokens: PerSide<readonly string[]>): PerSide<string> {
  const fileOf = (side: keyof typeof tokens) => {
    const file = join(folder, `${kind}-${side}`);
    writeFileSync(file, `${tokens[side].join('\n')}\n`);
    return file;
  };
  return { 1: fileOf(1), 2: fileOf(2) };
}
