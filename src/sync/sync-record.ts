import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { ClockTime } from '../clock.ts';
import { FAILURE_KINDS } from '../limits/booking-system-failure.ts';
import { jsonIn } from '../parsing/reading.ts';

const Instant = Type.Integer({ minimum: 0 });
const InstantOrNull = Type.Union([Instant, Type.Null()]);

/**
 * The state of a brand when it was last read, for the next start and for other nodes. Instants are in epoch milliseconds. The times of
 * single calendars are stored with the calendars. A node of the next release may have written more members.
 */
const SyncRecord = Type.Object({
  savedAt: Instant,
  completedAt: InstantOrNull,
  fullStartedAt: InstantOrNull,
  fullIsComplete: Type.Boolean(),
  changesKnownUntil: InstantOrNull,
  /** References whose calendars have changed and were not read since. */
  changed: Type.Array(Type.String()),
  /** How many properties were offered. */
  offered: Type.Integer({ minimum: 0 }),
  /** When the oldest of the calendars on offer was read. */
  oldestCalendarAt: InstantOrNull,
  /** How many calendars were still to be read. */
  waiting: Type.Integer({ minimum: 0 }),
  lastFailure: Type.Union([
    Type.Object({
      at: Instant,
      kind: Type.Enum([...FAILURE_KINDS]),
      message: Type.Optional(Type.String()),
    }),
    Type.Null(),
  ]),
});
export type SyncRecord = Readonly<Static<typeof SyncRecord>>;

const validator = Compile(SyncRecord);
const nameOf = (brand: BrandId) => `${brand}/sync`;

export function saveSyncRecord(
  store: Pick<InventoryStore, 'saveDocument'>,
  brand: BrandId,
  record: SyncRecord,
): Promise<void> {
  return store.saveDocument(nameOf(brand), new TextEncoder().encode(JSON.stringify(record)));
}

/** Whether both are the same save. */
export function isSameRecord(one: SyncRecord, other: SyncRecord): boolean {
  const { savedAt, completedAt, fullStartedAt, offered, waiting } = one;
  if (savedAt !== other.savedAt || completedAt !== other.completedAt) return false;
  return fullStartedAt === other.fullStartedAt && offered === other.offered && waiting === other.waiting;
}

/** Undefined when the brand was never read, or when another release wrote the record in another format: then the brand is read fully. */
export async function readSyncRecord(
  store: Pick<InventoryStore, 'document'>,
  brand: BrandId,
): Promise<SyncRecord | undefined> {
  const document = await store.document(nameOf(brand));
  const record = document && jsonIn(document);
  return validator.Check(record) ? record : undefined;
}

/** How far a stored time may lie ahead, after a small clock correction or by the clock of another node. Beyond it, its age is unknown. */
const MAX_AHEAD_MS = 300_000;

/** Converts a stored instant to elapsed time. An instant far ahead has an unknown age and counts as the oldest. */
export function elapsedAt(instant: number, { now, elapsed }: ClockTime): number {
  return instant > now + MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : elapsed - Math.max(0, now - instant);
}
