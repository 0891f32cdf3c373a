import { cutText, memberOf } from '../shared/vendors/loose-values.ts';

const FALLBACK = 'en';
const MAX_LOCALES = 40;

/** A text as it is, or of a text by locale the one in the language, in English, or the first that is not empty. */
export function translated(value: unknown, language: string, maxLength: number): string {
  if (typeof value === 'string') return cutText(value, maxLength);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  for (const locale of [language, FALLBACK, ...Object.keys(value).slice(0, MAX_LOCALES)]) {
    const text = cutText(memberOf(value, locale), maxLength);
    if (text.trim() !== '') return text;
  }
  return '';
}
