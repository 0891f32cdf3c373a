import { availableParallelism } from 'node:os';
import type { Settings } from './settings.ts';
import { SHARED_SESSIONS } from './storage/stores.ts';

/** As many threads as were asked for; otherwise one for each processor, where the store can be shared by threads. */
export function chooseWorkers(
  { workers, store }: Pick<Settings, 'workers' | 'store'>,
  processors = availableParallelism(),
): number {
  if (!SHARED_SESSIONS[store]) return 1;
  return workers ?? processors;
}
