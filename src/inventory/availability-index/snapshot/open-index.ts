import type { Network } from '../../catalogue.ts';
import { HEAD_RING_START } from '../kernel/layout.ts';
import { createLocalDates } from '../local-dates.ts';
import { createPlaceTree } from '../place-tree.ts';
import { createAvailabilityIndex, RING_DAYS, type TiledIndex } from '../tiled-index.ts';
import { dependenciesOf } from './dependencies.ts';
import { readSnapshot, type SnapshotReading } from './read-snapshot.ts';
import type { SnapshotFile } from './snapshot-file.ts';

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
    now,
    file,
    ringDays = RING_DAYS,
    refused,
  }: {
    readonly now: number;
    readonly file: SnapshotFile;
    readonly ringDays?: number;
    readonly refused: (reason: string) => void;
  },
): Promise<OpenedIndex> {
  const dependsOn = dependenciesOf(network, ringDays);
  const reading = await readSnapshot(file, dependsOn);
  const restored = reading.kind === 'read' ? reading.arena : undefined;
  const reason = reading.kind === 'refused' ? reading.reason : restored && reasonOfDates(restored.i32);
  if (restored && !reason) {
    return {
      index: createAvailabilityIndex(network, { now, ringDays, restored }),
      dependsOn,
      snapshot: 'read',
    };
  }
  if (reason) refused(reason);
  const snapshot = reason ? 'refused' : 'none';
  return { index: createAvailabilityIndex(network, { now, ringDays }), dependsOn, snapshot };

  /** The ring only ever moves on. */
  function reasonOfDates(words: Int32Array): string | undefined {
    const today = createLocalDates(createPlaceTree(network).timeZones)(now).start;
    const start = words[HEAD_RING_START >>> 2] ?? 0;
    if (start > today) return 'was written on a later day than today';
    return start + ringDays <= today ? 'is too old' : undefined;
  }
}
