const MAX_LENGTH = 24;
const MAX_WORDS = 2;
const MAX_WORD_LENGTH = 12;
// "tel-2121234" is a number to call, and so is 351912345678.
const MAX_DIGITS_BESIDE_LETTERS = 6;
const MAX_DIGITS = 8;

/**
 * Whether a reference can be shown to language models as it is: it has no room for a sentence, a number to call, an account
 * or the name of a site.
 */
export function isPlainReference(reference: string): boolean {
  if (reference.length > MAX_LENGTH || !/^[A-Za-z0-9._-]+$/.test(reference)) return false;
  if (/\.[A-Za-z]{2,}(?:$|[.-])/.test(reference)) return false;
  const digits = reference.replace(/[^0-9]/g, '').length;
  if (digits > (/[A-Za-z]/.test(reference) ? MAX_DIGITS_BESIDE_LETTERS : MAX_DIGITS)) return false;
  const words = reference.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word.length > 1);
  return words.length <= MAX_WORDS && words.every(({ length }) => length <= MAX_WORD_LENGTH);
}
