import type { Day } from '../../src/stay/day.ts';
import type { ServerAddresses } from '../../src/storage/storage.ts';

/** What a node without callers is told. */
export type HomesOrder = {
  readonly servers: ServerAddresses;
  /** Of its copy and its snapshot. */
  readonly directory: string;
  readonly seed: number;
  readonly homes: number;
  readonly today: Day;
};

/** What it says when its index answers. */
export type StartedNode = {
  /** From the opening of the store. */
  readonly tookMs: number;
  readonly homes: number;
};

export const HOMES_SCHEMA = 'bench_homes';
