import { MAX_LABELS_OF_AMENITY } from './availability-index.ts';
import type { Names } from './names.ts';

/** Under which labels amenities are published. They are kept when their homes go: few labels ever do. */
export type AmenityLabels = {
  add(amenity: string, label: string): void;
  /** In the order of their characters. */
  of(amenity: string): readonly string[];
};

const SEPARATOR = '\n';

export function createAmenityLabels(names: Names): AmenityLabels {
  const labelsOf = new Map<string, Set<string>>();
  let learned = 0;

  function learn(): void {
    for (; learned < names.size; learned++) {
      const [amenity = '', label = ''] = names.nameOf(learned).split(SEPARATOR);
      const labels = labelsOf.get(amenity);
      if (labels) labels.add(label);
      else labelsOf.set(amenity, new Set([label]));
    }
  }

  return {
    add(amenity, label) {
      learn();
      const labels = labelsOf.get(amenity);
      // An operator that makes up labels must not fill the memory.
      if (labels?.has(label) || (labels?.size ?? 0) >= MAX_LABELS_OF_AMENITY) return;
      names.intern(`${amenity}${SEPARATOR}${label.replaceAll(SEPARATOR, ' ')}`);
    },
    of(amenity) {
      learn();
      return [...(labelsOf.get(amenity) ?? [])].sort();
    },
  };
}
