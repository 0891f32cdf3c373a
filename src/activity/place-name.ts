import { foldText } from '../search/names/fold-text.ts';

const MAX_NAME_LENGTH = 40;
const MIN_LETTERS = 2;
const NO_LETTER = /[^\p{L}\p{M}]+/gu;
const LETTER = /\p{L}/gu;

/**
 * The name of a place that nobody knows, as it may be counted: words in small letters without accents, digits and signs, and no more of them
 * than a name needs. Null for what is no name then.
 */
export function foldedPlaceName(written: unknown): string | null {
  // An address of somebody is nobody's business.
  if (typeof written !== 'string' || written.includes('@')) return null;
  const words = foldText(written).replace(NO_LETTER, ' ').trim();
  const name = Array.from(words).slice(0, MAX_NAME_LENGTH).join('').trim();
  return (name.match(LETTER)?.length ?? 0) < MIN_LETTERS ? null : name;
}
