import type { PayloadField } from '../contract/payload-fields.ts';
import { parseDay } from '../stay/day.ts';
import { parseMonth } from '../stay/month.ts';

const GUESTS_PATTERN = /^[1-9]\d{0,2}$/;
const MAX_PLACE_NAME = 120;

/** A value in the form in which it is offered, or `undefined` when it cannot be one of this field. */
export function readValue(field: PayloadField, raw: unknown): string | boolean | undefined {
  switch (field) {
    case 'brand_locked':
      return raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined;
    case 'destination':
      return typeof raw === 'string' && raw.length > 0 && raw.length <= MAX_PLACE_NAME ? raw : undefined;
    case 'check_in_month':
      return typeof raw === 'string' && parseMonth(raw) !== undefined ? raw : undefined;
    case 'check_in_day':
    case 'check_out':
      return typeof raw === 'string' && parseDay(raw) !== undefined ? raw : undefined;
    case 'guests': {
      const text = typeof raw === 'number' ? String(raw) : raw;
      return typeof text === 'string' && GUESTS_PATTERN.test(text) ? text : undefined;
    }
  }
}

/** One amenity a request: a text, or an array with one text. */
export function readAmenity(raw: unknown): string | undefined {
  const amenity = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
  return typeof amenity === 'string' ? amenity : undefined;
}
