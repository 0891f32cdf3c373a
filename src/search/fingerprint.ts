import { isPayloadField } from '../contract/payload-fields.ts';
import { readAmenity, readValue } from './read-value.ts';
import type { Supplied } from './take-values.ts';

/** What a request asks for, whichever of the equal encodings it used: `2` and `"2"` guests are the same request. */
export function fingerprintOf(supplied: readonly Supplied[]): string {
  const values = supplied.map(({ field, raw }) => {
    const value = isPayloadField(field) ? readValue(field, raw) : readAmenity(raw);
    return JSON.stringify([field, value ?? raw]);
  });
  return values.sort().join();
}
