import { type IndexedHome, MAX_LABELS_OF_AMENITY } from './availability-index.ts';

type AmenityLabels = {
  add(home: IndexedHome): void;
  remove(home: IndexedHome): void;
  /** In the order of their characters. */
  of(amenity: string): readonly string[];
};

/** Under which labels each amenity is published, and by how many homes, so that a label goes with the last of them. */
export function createAmenityLabels(): AmenityLabels {
  const homesByLabel = new Map<string, Map<string, number>>();
  return {
    add({ amenities }) {
      for (const [amenity, label] of Object.entries(amenities ?? {})) {
        const labels = homesByLabel.get(amenity) ?? new Map<string, number>();
        homesByLabel.set(amenity, labels.set(label, (labels.get(label) ?? 0) + 1));
      }
    },
    remove({ amenities }) {
      for (const [amenity, label] of Object.entries(amenities ?? {})) {
        const labels = homesByLabel.get(amenity);
        const homes = labels?.get(label) ?? 0;
        if (homes > 1) labels?.set(label, homes - 1);
        else labels?.delete(label);
        if (labels?.size === 0) homesByLabel.delete(amenity);
      }
    },
    of: (amenity) => [...(homesByLabel.get(amenity)?.keys() ?? [])].sort().slice(0, MAX_LABELS_OF_AMENITY),
  };
}
