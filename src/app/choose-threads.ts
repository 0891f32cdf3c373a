import { availableParallelism } from 'node:os';
import { SHARED_SESSIONS } from '../storage/stores.ts';
import { canSharePorts } from '../threads/shareable-port.ts';
import type { Settings } from './settings.ts';

/** How many threads answer: as many as were asked for, otherwise one for each processor. One where several are not possible. */
export async function chooseWorkers(
  { workers, store }: Pick<Settings, 'workers' | 'store'>,
  {
    processors = availableParallelism(),
    canShare = canSharePorts,
    report,
  }: {
    readonly processors?: number;
    readonly canShare?: () => Promise<boolean>;
    /** Told why there are fewer than were asked for. */
    readonly report: (warning: string) => void;
  },
): Promise<number> {
  const wanted = workers ?? processors;
  if (wanted === 1) return 1;
  const obstacle = !SHARED_SESSIONS[store]
    ? `threads cannot share the sessions of STAYWIRE_STORE=${store}`
    : (await canShare())
      ? null
      : 'this system does not let threads share a port';
  if (obstacle === null) return wanted;
  if (workers !== null) report(`One thread answers instead of ${workers}: ${obstacle}.`);
  return 1;
}
