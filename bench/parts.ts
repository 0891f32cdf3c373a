import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, LOAD_CORE, SERVER_CORE, startChild } from './child.ts';

/** The child processes of a benchmark run. */
export type Parts = {
  readonly operators: Child<readonly string[]>;
  readonly service: Child<string>;
  readonly bare: Child<string>;
  readonly floor: Child<string>;
  readonly folder: string;
  close(): Promise<void>;
};

export async function startParts(): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  const operators = await startChild<readonly string[]>('./operators.process.ts', LOAD_CORE);
  const service = await startChild<string>('./service.process.ts', SERVER_CORE, operators.ready);
  const bare = await startChild<string>('./bare.process.ts', SERVER_CORE);
  const floor = await startChild<string>('./floor.process.ts', SERVER_CORE);
  return {
    operators,
    service,
    bare,
    floor,
    folder,
    async close() {
      await Promise.all([service, bare, floor, operators].map((child) => child.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
