import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { CatalogueReading } from '../catalogue/rejections/rejection.ts';
import { HELD_BACK_RULES } from '../catalogue/rejections/rejection-rules.ts';

/** What the last reading of a brand held back, for its operator. */
export type StoredHeldBack = Required<Omit<CatalogueReading, 'properties'>> & {
  /** When the reading ended, in epoch milliseconds. */
  readonly readAt: number;
  /** Listings that were admitted, with or without a calendar. */
  readonly admitted: number;
};

const Count = Type.Integer({ minimum: 0 });
const storedHeldBack = Compile(
  Type.Unsafe<StoredHeldBack>(
    Type.Object({
      readAt: Type.Integer(),
      admitted: Count,
      heldBack: Type.Array(
        Type.Object({
          reference: Type.String(),
          field: Type.String(),
          rule: Type.Enum(Object.keys(HELD_BACK_RULES)),
          reason: Type.String(),
          value: Type.Optional(Type.String()),
          repaired: Type.Optional(Type.Literal(true)),
        }),
      ),
      notListed: Count,
      counts: Type.Record(
        Type.Enum(Object.keys(HELD_BACK_RULES)),
        Type.Optional(Type.Object({ refused: Count, repaired: Count })),
      ),
      unmappedAmenities: Type.Array(Type.Object({ amenity: Type.String(), listings: Count })),
    }),
  ),
);

export async function saveHeldBack(
  store: Pick<InventoryStore, 'saveDocument'>,
  brand: BrandId,
  report: StoredHeldBack,
): Promise<void> {
  await store.saveDocument(nameFor(brand), new TextEncoder().encode(JSON.stringify(report)));
}

/** Undefined when the brand was never read, or when another release wrote the report in another form: the next reading replaces it. */
export async function readHeldBack(
  store: Pick<InventoryStore, 'document'>,
  brand: BrandId,
): Promise<StoredHeldBack | undefined> {
  const document = await store.document(nameFor(brand));
  const report = document && parsed(document);
  return storedHeldBack.Check(report) ? report : undefined;
}

function parsed(document: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(document));
  } catch {
    return undefined;
  }
}

function nameFor(brand: BrandId): string {
  return `${brand}/held-back`;
}
