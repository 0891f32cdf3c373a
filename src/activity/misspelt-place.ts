import type { Network, PlaceId } from '../inventory/catalogue.ts';
import { editDistance } from '../search/names/edit-distance.ts';
import { foldedName, placeNamesOf } from '../search/names/place-names.ts';
import { partsOf } from '../search/names/places-meant.ts';

/** Too many shorter names differ by one letter. */
const MIN_LENGTH = 5;

/**
 * Whether a text is the name of one of these places with a letter missing, a letter too many, or two letters swapped. A replaced letter may
 * as well make another name: whoever asks for Parma does not mean Palma.
 */
export function isMisspelt(text: string, places: readonly PlaceId[], network: Network): boolean {
  const written = foldedName(partsOf(text)[0] ?? '').joined;
  const { namesOf } = placeNamesOf(network);
  return places.some((place) => namesOf(place).some(({ joined }) => isSlip(written, joined)));
}

function isSlip(written: string, name: string): boolean {
  if (name.length < MIN_LENGTH || editDistance(written, name, 1) !== 1) return false;
  return written.length !== name.length || lettersOf(written) === lettersOf(name);
}

function lettersOf(name: string): string {
  return Array.from(name).sort().join('');
}
