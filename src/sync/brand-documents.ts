import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { CatalogueReading } from '../catalogue/rejections/rejection.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import type { ClockTime } from '../clock.ts';
import { FAILURE_KINDS } from '../limits/booking-system-failure.ts';
import { jsonIn } from '../parsing/reading.ts';

type WritesDocuments = Pick<InventoryStore, 'saveDocument'>;
type ReadsDocuments = Pick<InventoryStore, 'document'>;

/** A JSON document of each brand. Undefined when there is none, or when another release wrote it in another format: the next reading replaces it. */
function documentOfBrands<Document>(name: string, schema: TSchema) {
  const validator = Compile(Type.Unsafe<Document>(schema));
  return {
    save: (store: WritesDocuments, brand: BrandId, document: Document) =>
      store.saveDocument(`${brand}/${name}`, new TextEncoder().encode(JSON.stringify(document))),
    async read(store: ReadsDocuments, brand: BrandId): Promise<Document | undefined> {
      const stored = await store.document(`${brand}/${name}`);
      const document = stored && jsonIn(stored);
      return validator.Check(document) ? document : undefined;
    },
  };
}

const Instant = Type.Integer({ minimum: 0 });
const InstantOrNull = Type.Union([Instant, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

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
  offered: Count,
  /** When the oldest of the calendars on offer was read. */
  oldestCalendarAt: InstantOrNull,
  /** How many calendars were still to be read. */
  waiting: Count,
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

const { save: saveSyncRecord, read: readSyncRecord } = documentOfBrands<SyncRecord>('sync', SyncRecord);

export { readSyncRecord, saveSyncRecord };

/** Whether both are the same save. */
export function isSameRecord(one: SyncRecord, other: SyncRecord): boolean {
  const { savedAt, completedAt, fullStartedAt, offered, waiting } = one;
  if (savedAt !== other.savedAt || completedAt !== other.completedAt) return false;
  return fullStartedAt === other.fullStartedAt && offered === other.offered && waiting === other.waiting;
}

/** How far a stored time may lie ahead, after a small clock correction or by the clock of another node. Beyond it, its age is unknown. */
const MAX_AHEAD_MS = 300_000;

/** Converts a stored instant to elapsed time. An instant far ahead has an unknown age and counts as the oldest. */
export function elapsedAt(instant: number, { now, elapsed }: ClockTime): number {
  return instant > now + MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : elapsed - Math.max(0, now - instant);
}

/** The rejections of the last reading of a brand, for its operator. */
export type StoredRejections = Required<Omit<CatalogueReading, 'properties'>> & {
  /** When the reading ended, in epoch milliseconds. */
  readonly readAt: number;
  /** Listings that were admitted, with or without a calendar. */
  readonly admitted: number;
};

const rule = Type.Enum(Object.keys(REJECTION_RULES));
/** The stored report calls the rejections `heldBack`, as version 0.1 does. */
const reports = documentOfBrands<
  Omit<StoredRejections, 'rejections'> & { readonly heldBack: StoredRejections['rejections'] }
>(
  'held-back',
  Type.Object({
    readAt: Type.Integer(),
    admitted: Count,
    heldBack: Type.Array(
      Type.Object({
        reference: Type.String(),
        field: Type.String(),
        rule,
        reason: Type.String(),
        value: Type.Optional(Type.String()),
        repaired: Type.Optional(Type.Literal(true)),
      }),
    ),
    notListed: Count,
    counts: Type.Record(rule, Type.Optional(Type.Object({ refused: Count, repaired: Count }))),
    unmappedAmenities: Type.Array(Type.Object({ amenity: Type.String(), listings: Count })),
  }),
);

export async function saveRejections(
  store: WritesDocuments,
  brand: BrandId,
  { rejections, ...report }: StoredRejections,
): Promise<void> {
  await reports.save(store, brand, { ...report, heldBack: rejections });
}

export async function readRejections(
  store: ReadsDocuments,
  brand: BrandId,
): Promise<StoredRejections | undefined> {
  const report = await reports.read(store, brand);
  if (!report) return undefined;
  const { heldBack, ...others } = report;
  return { ...others, rejections: heldBack };
}
