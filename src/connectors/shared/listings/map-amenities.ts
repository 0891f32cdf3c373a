import { AMENITY_LABELS, type AmenityKey, BROADER_AMENITIES } from '../../../catalogue/amenities.ts';
import { amenityWord, foldedAmenity } from './amenity-word.ts';

export type MappedAmenities = {
  /**
   * Canonical key → label, each once, in the order in which they were published, with the broader key after a narrower one. Null when none is
   * known: neither an empty list nor words that nobody knows say what a home lacks.
   */
  readonly amenities: Readonly<Record<string, string>> | null;
  /** What the table does not have, in the booking system's own words. */
  readonly unmapped: readonly string[];
};

export type AmenityMap = (published: readonly string[]) => MappedAmenities;

/** More than a listing can have; the words after them are not looked at. */
const MAX_WORDS = 1000;

const LABELLED: ReadonlyMap<string, AmenityKey> = new Map(
  Object.entries(AMENITY_LABELS).map(([key, label]) => [foldedAmenity(label), key as AmenityKey]),
);

/**
 * Maps a booking system's own codes or names into the one vocabulary. Capitals and blanks do not matter, but nothing is guessed: a word that
 * is not in the table, and of names also no label of an amenity, is unmapped.
 */
export function createAmenityMap(
  table: Readonly<Record<string, AmenityKey>>,
  { areNames = false } = {},
): AmenityMap {
  const labelled = areNames ? LABELLED : undefined;
  const keys = new Map<string, AmenityKey>();
  for (const [word, key] of Object.entries(table)) {
    const folded = foldedAmenity(word);
    const other = keys.get(folded);
    if (other !== undefined && other !== key)
      throw new Error(`"${word}" is mapped to both ${other} and ${key}`);
    keys.set(folded, key);
  }
  return (published) => {
    const amenities: Record<string, string> = {};
    const unmapped: string[] = [];
    for (const word of published.slice(0, MAX_WORDS)) {
      const folded = foldedAmenity(word);
      const key = keys.get(folded) ?? labelled?.get(folded);
      if (key !== undefined) {
        amenities[key] = AMENITY_LABELS[key];
        const broader = BROADER_AMENITIES[key];
        if (broader !== undefined) amenities[broader] = AMENITY_LABELS[broader];
      } else if (folded !== '') unmapped.push(amenityWord(word));
    }
    return { amenities: knownAmenities(amenities), unmapped };
  };
}

/** What a listing has by itself, and what all listings of its house have. */
export function withShared(own: MappedAmenities, shared: MappedAmenities): MappedAmenities {
  return {
    amenities: knownAmenities({ ...own.amenities, ...shared.amenities }),
    unmapped: [...own.unmapped, ...shared.unmapped],
  };
}

/** Null when there is none. */
export function knownAmenities(amenities: Readonly<Record<string, string>>): MappedAmenities['amenities'] {
  return Object.keys(amenities).length > 0 ? amenities : null;
}
