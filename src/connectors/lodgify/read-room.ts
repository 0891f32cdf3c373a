import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord } from '../shared/listings/amenities.ts';
import { type RawImage, rawImage } from '../shared/listings/listing.ts';
import {
  cutText,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
  memberOf,
} from '../shared/vendors/loose-values.ts';
import { LODGIFY_FLAGS } from './amenities.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

/** The room type of a property: what a guest stays in. */
export type LodgifyRoom = {
  readonly maxGuests: number | null;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly squareMetres: number | null;
  readonly currency: string;
  readonly images: readonly RawImage[];
  readonly amenities: readonly string[];
};

/** A few more than are looked at. */
const MAX_IMAGES = 60;
/** Longer than what is shown of one, because markup is taken out first. */
const MAX_ALT = 400;
/** Of all addresses and captions: several times what a gallery may show. */
const MAX_GALLERY_LETTERS = 24_000;
const MAX_AMENITIES = 300;

/** A task of the intake: the answer of `GET /v1/properties/{property}/rooms/{room}`. It is one item. */
export function* readLodgifyRoom(
  document: Uint8Array,
  _parameters: null,
): Generator<LodgifyRoom, LodgifyAnswerEnd> {
  const room = parseDocument(document);
  const errorCode = errorCodeOf(room);
  if (errorCode !== null) return { errorCode };
  // The vendor writes 0 for what its customer has not filled in.
  const count = (name: string) => looseNumber(memberOf(room, name)) || null;
  const isMetric = memberOf(room, 'area_unit') === 'sqm';
  yield {
    maxGuests: count('max_people'),
    bedrooms: count('bedrooms'),
    bathrooms: count('bathrooms'),
    squareMetres: isMetric ? count('area') : null,
    currency: cutText(memberOf(memberOf(room, 'currency'), 'code'), 3),
    images: imagesOf(room),
    amenities: amenitiesOf(room),
  };
  return NO_ERROR;
}

function imagesOf(room: unknown): readonly RawImage[] {
  const images: RawImage[] = [];
  let letters = 0;
  for (const published of looseList(memberOf(room, 'images')).slice(0, MAX_IMAGES)) {
    const image = rawImage(memberOf(published, 'url'), cutText(memberOf(published, 'text'), MAX_ALT));
    if (!image) continue;
    letters += image.url.length + image.alt.length;
    if (letters > MAX_GALLERY_LETTERS) break;
    images.push(image);
  }
  return images;
}

function amenitiesOf(room: unknown): readonly string[] {
  const groups = memberOf(room, 'amenities');
  const named = Object.values(looseRecord(groups))
    .slice(0, MAX_AMENITIES)
    .flatMap((group) => looseList(group).slice(0, MAX_AMENITIES))
    .slice(0, MAX_AMENITIES)
    .flatMap((amenity) => looseText(memberOf(amenity, 'name')) ?? []);
  const flags = LODGIFY_FLAGS.filter((flag) => memberOf(room, flag) === true);
  return [...flags, ...named.map(amenityWord)];
}
