import type { Clock } from '../../clock.ts';

/**
 * The processor time of the calling thread, in milliseconds: while the machine is busy with something else, no document is at fault.
 * Where Node cannot tell it, the time that passes.
 */
export function processorTimeOn(clock: Pick<Clock, 'elapsed'>): () => number {
  // Since Node 23.9.
  if (typeof process.threadCpuUsage !== 'function') return () => clock.elapsed();
  return () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
}
