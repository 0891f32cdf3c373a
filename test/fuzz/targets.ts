import { DOCUMENTS } from './documents.ts';
import { FILES } from './files.ts';
import type { FuzzTarget } from './run-target.ts';
import { SERVICES } from './services.ts';
import { signatures } from './signatures.ts';

export const TARGETS: readonly FuzzTarget[] = [...SERVICES, signatures, ...DOCUMENTS, FILES];

/** How many of the inputs of a whole run each target gets. */
export function shareOf(target: FuzzTarget, inputs: number): number {
  const weights = TARGETS.reduce((sum, { weight }) => sum + weight, 0);
  return Math.ceil((inputs * target.weight) / weights);
}
