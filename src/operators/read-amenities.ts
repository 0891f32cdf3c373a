import { cleanText } from './operator-text.ts';

const KEY = /^[a-z0-9_-]{1,64}$/;
const MAX_AMENITIES = 200;
const MAX_LABEL = 80;

/** Labels that cannot be shown are replaced by the key in words; keys that cannot be shown are left out. */
export function readPublishedAmenities(
  published: Readonly<Record<string, string>>,
  report: (field: string, reason: string) => void,
): Record<string, string> {
  const amenities: Record<string, string> = {};
  for (const [key, label] of Object.entries(published).slice(0, MAX_AMENITIES)) {
    // `constructor` and `__proto__` match the pattern, but mean something else as members of an object.
    if (!KEY.test(key) || key in {}) {
      report('amenities', 'has a key that is not [a-z0-9_-]');
      continue;
    }
    const words = cleanText(key.replaceAll(/[_-]+/g, ' '), MAX_LABEL);
    if (words.kind === 'invalid' || words.value === '') {
      report('amenities', 'has a key that cannot be shown');
      continue;
    }
    const shown = cleanText(label, MAX_LABEL);
    if (shown.kind === 'invalid') report(`amenities/${key}`, shown.faults.join('; '));
    amenities[key] = (shown.kind === 'valid' && shown.value) || words.value;
  }
  return amenities;
}
