import type { Network } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { HEAD_RING_START } from '../kernel/layout.ts';
import { createLocalDates } from '../local-dates.ts';
import { createPlaceTree } from '../place-tree.ts';
import { createAvailabilityIndex, RING_DAYS, type TiledIndex } from '../tiled-index.ts';
import { dependenciesOf } from './dependencies.ts';
import { readSnapshot, type SnapshotReading } from './read-snapshot.ts';
import type { SnapshotFile } from './snapshot-file.ts';

export type SnapshotReadingObserver = {
  read(bytes: number, milliseconds: number): void;
  /** Why it is not used. */
  refused(reason: string): void;
};

export type OpenedIndex = {
  readonly index: TiledIndex;
  /** What a snapshot of it depends on. */
  readonly dependsOn: string;
  /** What came of the snapshot. */
  readonly snapshot: SnapshotReading['kind'];
};

/**
 * The index of the last snapshot, which the caller compares with the store and opens, or an empty one where there is no snapshot
 * that can be trusted.
 */
export async function openIndex(
  network: Network,
  {
    file,
    clock,
    ringDays = RING_DAYS,
    observe,
  }: {
    readonly file: SnapshotFile;
    readonly clock: Pick<Clock, 'now' | 'elapsed'>;
    readonly ringDays?: number;
    readonly observe: SnapshotReadingObserver;
  },
): Promise<OpenedIndex> {
  const startedAt = clock.elapsed();
  const now = clock.now();
  const dependsOn = dependenciesOf(network, ringDays);
  const reading = trusted(await readSnapshot(file, dependsOn));
  if (reading.kind === 'refused') observe.refused(reading.reason);
  if (reading.kind !== 'read') {
    return { index: createAvailabilityIndex(network, { now, ringDays }), dependsOn, snapshot: reading.kind };
  }
  const index = createAvailabilityIndex(network, { now, ringDays, restored: reading.arena });
  observe.read(reading.bytes, clock.elapsed() - startedAt);
  return { index, dependsOn, snapshot: 'read' };

  /** The ring only ever moves on. */
  function trusted(read: SnapshotReading): SnapshotReading {
    if (read.kind !== 'read') return read;
    const today = createLocalDates(createPlaceTree(network).timeZones)(now).start;
    const start = read.arena.i32[HEAD_RING_START >>> 2] ?? 0;
    if (start > today) return { kind: 'refused', reason: 'was written on a later day than today' };
    return start + ringDays <= today ? { kind: 'refused', reason: 'is too old' } : read;
  }
}
