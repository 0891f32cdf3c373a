import { hash } from 'node:crypto';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Network } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { KERNEL } from '../kernel/kernel.generated.ts';
import { HEAD_RING_START } from '../kernel/layout.ts';
import { createLocalDates, createPlaceTree } from '../place-tree.ts';
import { createAvailabilityIndex, RING_DAYS, type TiledIndex } from '../tiled-index.ts';
import type { SnapshotFile } from './snapshot.ts';
import { readSnapshot, type SnapshotReading } from './snapshot.ts';

export type SnapshotReadingObserver = {
  read(bytes: number, milliseconds: number): void;
  /** The reason why the snapshot is not used. */
  refused(reason: string): void;
};

export type OpenedIndex = {
  readonly index: TiledIndex;
  /** Digest for snapshots of it: see `dependenciesOf`. */
  readonly dependsOn: string;
  /** Outcome of reading the snapshot. */
  readonly snapshot: SnapshotReading['kind'];
};

/**
 * The index of the last snapshot, which the caller compares with the store and then opens; an empty index when no snapshot can be
 * trusted.
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

  /** The ring only moves forward. */
  function trusted(read: SnapshotReading): SnapshotReading {
    if (read.kind !== 'read') return read;
    const today = createLocalDates(createPlaceTree(network).timeZones)(now).start;
    const start = read.arena.i32[HEAD_RING_START >>> 2] ?? 0;
    if (start > today) return { kind: 'refused', reason: 'was written on a later day than today' };
    return start + ringDays <= today ? { kind: 'refused', reason: 'is too old' } : read;
  }
}

/**
 * A digest of everything on which the meaning of the memory depends: the places, which it stores by number, with their time zones and
 * currencies, the length of its ring, and the code that reads and writes it. Brands are left out, because the memory has their names.
 */
export function dependenciesOf(network: Network, ringDays: number): string {
  const places = [...network.places.values()].map(({ id, kind, parent, timeZone, currency }) => [
    id,
    kind,
    parent,
    timeZone,
    currency,
  ]);
  return hash('sha256', JSON.stringify([places, ringDays, KERNEL, sampleMemory()]));
}

/** Any change of the format shows in the memory of an index with a few homes, so the format needs no version number. */
function sampleMemory(): string {
  const city = {
    id: 'a',
    name: 'a',
    aliases: [],
    kind: 'city',
    parent: null,
    timeZone: 'UTC',
    currency: 'EUR',
  } as const;
  const index = createAvailabilityIndex({ brands: new Map(), places: new Map([['a', city]]) }, { now: 0 });
  for (let number = 0; number < SAMPLE_HOMES; number++) {
    const calendar = emptyCalendar(number, SAMPLE_NIGHTS);
    for (let night = 0; night < SAMPLE_NIGHTS; night++) {
      calendar.available[night] = (night * number) % 7 === 3 ? 0 : 1;
      calendar.price[night] = 9000 + (((night % 2 ** number) * 10 ** number) % 4_000_000);
      if (number % 2 === 0) continue;
      calendar.minimumStay[night] = 1 + (night % number);
      calendar.maximumStay[night] = (night % 5) * number;
      calendar.closedToArrival[night] = night % 11 === number ? 1 : 0;
      calendar.closedToDeparture[night] = night % 13 === number ? 1 : 0;
    }
    const amenities = number === 0 ? null : { pool: `Pool ${number}`, [`own-${number >> 1}`]: 'Own' };
    const facts = { maxGuests: 2 + (number % 3), leadDays: number % 2, amenities, currency: 'EUR' };
    const version = { listing: 2 ** 40 + number, calendar: number };
    index.put({ id: `b:${number}`, brand: `b${number % 2}`, place: 'a', ...facts }, calendar, version);
  }
  index.remove('b:1');
  index.withdraw('b:2', [{ from: 3, to: 5 }]);
  return hash('sha256', index.arena.u8.slice(0, index.usedBytes));
}

const SAMPLE_HOMES = 8;
const SAMPLE_NIGHTS = 40;
