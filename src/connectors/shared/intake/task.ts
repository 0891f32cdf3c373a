import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';

/**
 * Reads one document: yields what it finds item by item, and returns what is left to say at the end. Pure, and its
 * parameters, items and summary are plain data, because all of them cross threads. Throws a `BookingSystemFailure` when
 * the document as a whole cannot be read.
 */
export type IntakeTask<Options, Item, Summary> = (
  document: Uint8Array,
  options: Options,
  places: ReadonlyMap<PlaceId, Place>,
) => Generator<Item, Summary>;
