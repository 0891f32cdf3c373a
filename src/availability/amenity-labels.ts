import { isSharedAmenity } from '../catalogue/amenities.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import { MAX_LABELS_OF_AMENITY, MAX_LABELS_OF_BRAND } from './availability-index.ts';
import type { Names } from './names.ts';

/** The searchable amenities with their published labels. They are not removed with their homes, which is rare. */
export type AmenityLabels = {
  /** The number of an amenity of a home of the brand; undefined when it cannot be searched. */
  publish(brand: BrandId, amenity: string, label: string): number | undefined;
  /** In lexical order. */
  of(amenity: string): readonly string[];
  isCommon(amenity: string): boolean;
};

/** Limits the memory for operators' own amenities: further amenities cannot be searched. */
export const MAX_AMENITIES = 4096;
/** Prevents one operator from using up the limit. Shared amenities, and those first used by another brand, do not count. */
const MAX_AMENITIES_OF_BRAND = 256;

const SEPARATOR = '\n';

/** The first label of an amenity names the brand that used it first, so that a restored index counts alike. */
export function createAmenityLabels(amenities: Names, texts: Names): AmenityLabels {
  /** By amenity: label → the brand that used it first. */
  const labelsOf = new Map<string, Map<string, BrandId>>();
  const broughtBy = new Map<BrandId, number>();
  const ofTwoBrands = new Set<string>();
  let learned = 0;

  function learn(): void {
    for (; learned < texts.size; learned++) {
      const [amenity = '', label = '', brand = ''] = texts.nameOf(learned).split(SEPARATOR);
      const labels = labelsOf.get(amenity);
      if (labels) {
        if (labels.values().next().value !== brand) ofTwoBrands.add(amenity);
        if (!labels.has(label)) labels.set(label, brand);
      } else {
        labelsOf.set(amenity, new Map([[label, brand]]));
        if (!isSharedAmenity(amenity)) broughtBy.set(brand, (broughtBy.get(brand) ?? 0) + 1);
      }
    }
  }

  function isCommon(amenity: string): boolean {
    learn();
    return isSharedAmenity(amenity) || ofTwoBrands.has(amenity);
  }

  function hasCapacityFor(brand: BrandId, labels: ReadonlyMap<string, BrandId>): boolean {
    const ofBrand = [...labels.values()].filter((other) => other === brand);
    return labels.size < MAX_LABELS_OF_AMENITY && ofBrand.length < MAX_LABELS_OF_BRAND;
  }

  function addLabel(brand: BrandId, amenity: string, given: string): void {
    const label = given.replaceAll(SEPARATOR, ' ');
    const labels = labelsOf.get(amenity) ?? new Map<string, BrandId>();
    const isSecondBrand = !isCommon(amenity) && labels.values().next().value !== brand;
    if (!isSecondBrand && (labels.has(label) || !hasCapacityFor(brand, labels))) return;
    texts.intern([amenity, label, brand].join(SEPARATOR));
    learn();
  }

  return {
    publish(brand, amenity, label) {
      learn();
      const known = amenities.numberOf(amenity);
      const isFull = amenities.size >= MAX_AMENITIES || (broughtBy.get(brand) ?? 0) >= MAX_AMENITIES_OF_BRAND;
      if (known === undefined && isFull) return undefined;
      if (!labelsOf.get(amenity)?.has(label) || !isCommon(amenity)) addLabel(brand, amenity, label);
      return known ?? amenities.intern(amenity);
    },
    of(amenity) {
      learn();
      return [...(labelsOf.get(amenity)?.keys() ?? [])].sort();
    },
    isCommon,
  };
}
