import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { CatalogueReading } from '../catalogue/rejections/rejection.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import { jsonIn } from '../parsing/reading.ts';

/** The rejections of the last reading of a brand, for its operator. */
export type StoredRejections = Required<Omit<CatalogueReading, 'properties'>> & {
  /** When the reading ended, in epoch milliseconds. */
  readonly readAt: number;
  /** Listings that were admitted, with or without a calendar. */
  readonly admitted: number;
};

const Count = Type.Integer({ minimum: 0 });
/** The stored report calls the rejections `heldBack`, as releases before this one do. */
const storedReport = Compile(
  Type.Unsafe<Omit<StoredRejections, 'rejections'> & { readonly heldBack: StoredRejections['rejections'] }>(
    Type.Object({
      readAt: Type.Integer(),
      admitted: Count,
      heldBack: Type.Array(
        Type.Object({
          reference: Type.String(),
          field: Type.String(),
          rule: Type.Enum(Object.keys(REJECTION_RULES)),
          reason: Type.String(),
          value: Type.Optional(Type.String()),
          repaired: Type.Optional(Type.Literal(true)),
        }),
      ),
      notListed: Count,
      counts: Type.Record(
        Type.Enum(Object.keys(REJECTION_RULES)),
        Type.Optional(Type.Object({ refused: Count, repaired: Count })),
      ),
      unmappedAmenities: Type.Array(Type.Object({ amenity: Type.String(), listings: Count })),
    }),
  ),
);

export async function saveRejections(
  store: Pick<InventoryStore, 'saveDocument'>,
  brand: BrandId,
  { rejections, ...report }: StoredRejections,
): Promise<void> {
  const stored = JSON.stringify({ ...report, heldBack: rejections });
  await store.saveDocument(nameFor(brand), new TextEncoder().encode(stored));
}

/** Undefined when the brand was never read, or when another release stored the report in another format: the next reading replaces it. */
export async function readRejections(
  store: Pick<InventoryStore, 'document'>,
  brand: BrandId,
): Promise<StoredRejections | undefined> {
  const document = await store.document(nameFor(brand));
  const report = document && jsonIn(document);
  if (!storedReport.Check(report)) return undefined;
  const { heldBack, ...others } = report;
  return { ...others, rejections: heldBack };
}

function nameFor(brand: BrandId): string {
  return `${brand}/held-back`;
}
