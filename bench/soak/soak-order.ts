import type { Day } from '../../src/stay/day.ts';

/** What the process of the service is told. */
export type SoakOrder = {
  readonly seed: number;
  readonly homes: number;
  readonly today: Day;
  /** Of the booking systems that are asked for prices. */
  readonly origins: readonly string[];
  readonly updatesPerSecond: number;
};

export type ServiceState = {
  /** In the index. */
  readonly homes: number;
  readonly indexBytes: number;
  readonly residentBytes: number;
  /** Calendars that changed since the start. */
  readonly updates: number;
};
