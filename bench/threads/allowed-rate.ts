/** In processors: 0.5 is half of one, all the time. */
export type ProcessorShares = {
  /** What the machine has. */
  readonly machine: number;
  /** What the load and the booking systems beside the service used. */
  readonly load: number;
  /** What all threads of the service used. */
  readonly service: number;
  /** What the busiest of them used, 1 at most. */
  readonly busiestThread: number;
};

/**
 * What the service could serve had it the processors that the load took. It could grow by no more than the processors that were left
 * to it grow, and by no more than its busiest thread has room on a processor: a service with one thread gains nothing by a second
 * processor once its thread fills the first. Processors that were idle, or worked for others, are not counted as its own.
 */
export function allowedRate(
  rate: number,
  { machine, load, busiestThread }: Omit<ProcessorShares, 'service'>,
): number {
  return rate * Math.max(1, Math.min(machine / (machine - load), 1 / busiestThread));
}

/** The bound that processor time alone sets, on a machine without load or other work: waiting for the disk is not in it. */
export function boundOfProcessors(
  rate: number,
  { machine, service, busiestThread }: Omit<ProcessorShares, 'load'>,
): number {
  return rate * Math.min(machine / service, 1 / busiestThread);
}
