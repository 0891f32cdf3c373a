import { shownText } from '../../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault } from '../../../catalogue/rejections/rejection.ts';
import { cleanText } from '../../../catalogue/text/operator-text.ts';

const KEY = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/;
const MAX_KEY = 40;
const MAX_AMENITIES = 100;
const MAX_LABEL = 80;
// An option has no room for more.
const MAX_LETTERS = 4000;
// Each costs a reading, and an operator with so many faults has to mend them first.
const MAX_FAULTS = 10;

export type PublishedAmenities = {
  readonly amenities: Record<string, string>;
  /** Whether there were more than are kept. */
  readonly wasCut: boolean;
};

/** Labels that cannot be shown are replaced by the key in words; keys that cannot be shown are left out. */
export function readPublishedAmenities(
  published: Readonly<Record<string, string>>,
  report: (field: string, fault: RejectionFault) => void,
): PublishedAmenities {
  const amenities: Record<string, string> = {};
  let faults = 0;
  let kept = 0;
  let letters = 0;
  for (const key in published) {
    const label = published[key];
    if (!Object.hasOwn(published, key) || label === undefined) continue;
    if (kept >= MAX_AMENITIES || letters > MAX_LETTERS) return { amenities, wasCut: true };
    if (faults >= MAX_FAULTS) {
      const reason = `has ${MAX_FAULTS} faults, and what comes after them was not read`;
      report('amenities', { rule: 'too_many_faults', reason });
      return { amenities, wasCut: true };
    }
    // `constructor` and `__proto__` match the pattern, but mean something else as members of an object.
    if (!KEY.test(key) || key.length > MAX_KEY || key in {}) {
      const reason = `has a key that is not small letters and digits with single _ or - between them, or is longer than ${MAX_KEY}`;
      report('amenities', { rule: 'amenity_key', reason, value: shownText(key) });
      faults += 1;
      continue;
    }
    const words = cleanText(key.replaceAll(/[_-]+/g, ' '), MAX_LABEL);
    if (words.kind === 'invalid') {
      for (const { rule, reason } of words.faults) {
        report('amenities', { rule, reason: `has a key that ${reason}`, value: shownText(key) });
      }
      faults += 1;
      continue;
    }
    const shown = cleanText(label, MAX_LABEL);
    if (shown.kind === 'invalid') {
      for (const fault of shown.faults) report(`amenities/${key}`, fault);
      faults += 1;
    }
    const text = (shown.kind === 'valid' && shown.value.text) || words.value.text;
    amenities[key] = text;
    letters += key.length + text.length;
    kept += 1;
  }
  return { amenities, wasCut: false };
}
