import { amenityWord } from '../shared/listings/amenities.ts';
import { looseIdentifier, looseList, looseRecord, looseText } from '../shared/vendors/loose-values.ts';
import { hostawayResult } from './hostaway-envelope.ts';

const MAX_AMENITIES = 5000;

/** A task of the intake: `GET /amenities`, the name of each identifier. */
export function* readHostawayAmenities(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, name: string], null> {
  for (const amenity of looseList(hostawayResult(document).result).slice(0, MAX_AMENITIES)) {
    const { id, name } = looseRecord(amenity);
    const [key, text] = [looseIdentifier(id), looseText(name)];
    if (key !== undefined && text !== undefined) yield [key, amenityWord(text)];
  }
  return null;
}
