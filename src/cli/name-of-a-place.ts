import { cleanText } from '../catalogue/text/operator-text.ts';

const MAX_LENGTH = 60;
const MAX_WORDS = 5;
/** The long ones are in two scripts by custom. */
const SCRIPTS = [
  /^[\p{Script=Latin}\p{M}]+$/u,
  /^[\p{Script=Cyrillic}\p{M}]+$/u,
  /^[\p{Script=Greek}\p{M}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
  /^[\p{Script=Hangul}\p{Script=Han}]+$/u,
  /^[\p{Script=Arabic}\p{M}]+$/u,
  /^[\p{Script=Hebrew}\p{M}]+$/u,
  /^[\p{Script=Thai}\p{M}]+$/u,
  /^[\p{Script=Devanagari}\p{M}]+$/u,
];
/** Words with hyphens and apostrophes; a short one may be an abbreviation (`St. Ives`), or a small number (`Paris 15`). */
const WORD = /^(?:\p{L}[\p{L}\p{M}]*(?:[-'’][\p{L}\p{M}]+)*['’]?|\p{L}[\p{L}\p{M}]{0,3}\.|\d{1,2}|-)$/u;
/** What a conversation calls its parties. */
const ROLES = new Set(['system', 'assistant', 'user', 'developer', 'tool', 'human']);

/**
 * Whether what an operator calls a city can be a name of ours: assistants read the name of a place as the network's word, so it is
 * a few words of one script and nothing else.
 */
export function canNameAPlace(text: string): boolean {
  const name = text.normalize('NFC').trim();
  const words = name.split(/ +/);
  if (name.length > MAX_LENGTH || words.length > MAX_WORDS || !words.every((word) => WORD.test(word)))
    return false;
  const letters = name.replaceAll(/[^\p{L}\p{M}]/gu, '');
  if (!SCRIPTS.some((script) => script.test(letters)) || ROLES.has(letters.toLowerCase())) return false;
  const cleaned = cleanText(name, MAX_LENGTH);
  return cleaned.kind === 'valid' && cleaned.value.text === name;
}
