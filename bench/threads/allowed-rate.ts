/** In processors: 0.5 is half of one, all the time. */
export type ProcessorShares = {
  /** What the machine has. */
  readonly machine: number;
  /** What the load and the booking systems beside the service used. */
  readonly load: number;
  /** What the busiest thread of the service used, 1 at most. */
  readonly busiestThread: number;
};

/**
 * What the service could serve had it the processors that the load took. It could grow by no more than the processors that were left
 * to it grow, and by no more than its busiest thread has room on a processor: a service with one thread gains nothing by a second
 * processor once its thread fills the first.
 */
export function allowedRate(rate: number, { machine, load, busiestThread }: ProcessorShares): number {
  const morePossible = Math.min(machine / Math.max(machine - load, 1e-9), 1 / Math.max(busiestThread, 1e-9));
  return rate * Math.max(1, morePossible);
}
