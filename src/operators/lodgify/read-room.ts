import { parseDocument } from '../intake/parse-document.ts';
import { looseList, looseNumber, looseText, memberOf } from '../loose-json.ts';
import { LODGIFY_FLAGS } from './amenities.ts';

/** The room type of a property: what a guest stays in. */
export type LodgifyRoom = {
  readonly maxGuests: number | null;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  /** With its unit; empty when it is not known. */
  readonly area: string;
  readonly currency: string;
  readonly images: readonly { readonly url: string; readonly alt: string; readonly type: 'other' }[];
  readonly amenities: readonly string[];
};

const MAX_IMAGES = 100;
const MAX_AMENITIES = 300;
const MAX_TEXT = 2000;
const AREA_UNITS: Readonly<Record<string, string>> = { sqm: 'm²', sqft: 'sq ft' };

/** A task of the intake: the answer of `GET /v1/properties/{property}/rooms/{room}`. It is one item. */
export function* readLodgifyRoom(document: Uint8Array, _parameters: null): Generator<LodgifyRoom, null> {
  const room = parseDocument(document);
  // The vendor writes 0 for what its customer has not filled in.
  const count = (name: string) => looseNumber(memberOf(room, name)) || null;
  const area = count('area');
  const unit = AREA_UNITS[looseText(memberOf(room, 'area_unit'), 10)];
  yield {
    maxGuests: count('max_people'),
    bedrooms: count('bedrooms'),
    bathrooms: count('bathrooms'),
    area: area !== null && area > 0 && unit !== undefined ? `${area} ${unit}` : '',
    currency: looseText(memberOf(memberOf(room, 'currency'), 'code'), 3),
    images: looseList(memberOf(room, 'images'))
      .slice(0, MAX_IMAGES)
      .map((image) => ({
        url: lodgifyPicture(looseText(memberOf(image, 'url'), MAX_TEXT)),
        alt: looseText(memberOf(image, 'text'), MAX_TEXT),
        type: 'other',
      })),
    amenities: amenitiesOf(room),
  };
  return null;
}

/** Addresses of pictures come without their scheme. */
export function lodgifyPicture(address: string): string {
  return address.startsWith('//') ? `https:${address}` : address;
}

function amenitiesOf(room: unknown): readonly string[] {
  const groups = memberOf(room, 'amenities');
  const named =
    typeof groups === 'object' && groups !== null
      ? Object.values(groups).flatMap((group) =>
          looseList(group).map((amenity) => looseText(memberOf(amenity, 'name'), 100)),
        )
      : [];
  const flags = LODGIFY_FLAGS.filter((flag) => memberOf(room, flag) === true);
  return [...flags, ...named.filter((name) => name !== '').slice(0, MAX_AMENITIES)];
}
