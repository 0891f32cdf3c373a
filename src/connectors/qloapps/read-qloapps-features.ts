import { amenityWord } from '../shared/listings/amenities.ts';
import { looseFlag, looseIdentifier, looseRecord, looseText } from '../shared/vendors/loose-values.ts';
import { qloappsEntries } from './qloapps-answer.ts';

const MAX_FEATURES = 5000;

export type QloappsFeaturesParameters = { readonly name: 'hotel_features' | 'room_type_features' };

/** A task of the intake: `GET /api/hotel_features` or `GET /api/room_type_features`. */
export function* readQloappsFeatures(
  document: Uint8Array,
  { name }: QloappsFeaturesParameters,
): Generator<readonly [id: string, name: string], null> {
  for (const published of qloappsEntries(document, name, MAX_FEATURES)) {
    const feature = looseRecord(published);
    const [id, word] = [looseIdentifier(feature.id), looseText(feature.name)];
    if (id !== undefined && word !== undefined && looseFlag(feature.active) !== false)
      yield [id, amenityWord(word)];
  }
  return null;
}
