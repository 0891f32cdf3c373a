import { foldLookalikes } from './fold-lookalikes.ts';
import { meetsRule, namesConcept } from './rule-matcher.ts';

/** Whether folded text speaks to an assistant, or tells it where else to book or to pay. */
export function speaksToAssistant(folded: string): boolean {
  return CHAT_MARKUP.test(folded) || speaksAsSystem(folded) || readingsOf(folded).some(meetsRule);
}

const ROLE = '(?:assistant|developer|user|human|tool)';
/** What separates roles in chat templates. Held back everywhere, because no listing needs it. */
const CHAT_MARKUP = new RegExp(
  [
    '<\\|',
    '\\|>',
    '\\[\\/?(?:inst|system|sys|assistant)\\]',
    '<<?\\/?(?:system|sys|assistant|user|human|tool|function|invoke|instructions?|prompt|developer)\\b',
    '#{2,} ?(?:system|instructions?|assistant|user|human)\\b',
    `^ ?${ROLE} ?:`,
    `["']role["'] ?:`,
    `\\brole ?: ?["']?(?:system|${ROLE})\\b`,
    '\\{ ?["\'][a-z0-9_ -]{1,40}["\'] ?:',
  ].join('|'),
);

/** Whether text that still has its markup and its lines is laid out as a chat. */
export function isLaidOutAsChat(text: string): boolean {
  if (ROLE_LINE.test(text)) return true;
  if (speaksAsSystem(text)) return true;
  return CHAT_SIGN.test(text) && CHAT_MARKUP.test(foldLookalikes(text));
}

/** "System: underfloor heating" describes a home, so the sentence must steer an assistant or state a price. */
function speaksAsSystem(text: string): boolean {
  const said = SYSTEM_LINE.exec(text)?.[1];
  if (said === undefined) return false;
  const folded = foldLookalikes(said);
  return PRICE_OR_NUMBER.test(folded) || namesConcept(folded);
}

const CHAT_SIGN = /[<＜[|#{]/;
const LINE_START = '(?:^|[\\n\\r\\u2028])';
/** A role at the beginning of a line, in text that still has its lines. */
const ROLE_LINE = new RegExp(
  `${LINE_START}(?:[ \\t>*#]{0,5}${ROLE}|[ \\t]{0,5}[>*#][ \\t>*#]{0,4}system)[ \\t]{0,2}[:：]`,
  'i',
);
const PRICE_OR_NUMBER = /\d|pric|preci|prec[oi]|preis|prix|prezz|prij[sz]|cena|fiyat/;
const SYSTEM_LINE = new RegExp(
  `${LINE_START}[ \\t]{0,5}system[ \\t]{0,2}[:：]([^.!?;\\n\\r\\u2028]{0,200})`,
  'i',
);

const LETTER = '[a-z\\u0430-\\u044f\\u0370-\\u03ff]';
const LETTERS_APART = new RegExp(`(?<!${LETTER})${LETTER}(?:[ ._*-]${LETTER}(?!${LETTER})){4,}`, 'g');
// Three in a row, or the end of every sentence would count.
const CHARACTERS_APART = /(?:[\u3040-\u30ff\u3400-\u9fff][ .·*_-]){3,}(?=[\u3040-\u30ff\u3400-\u9fff])/g;
const MARKS_IN_A_ROW = /[-._*~^|+/\\']+/g;
const MARK = /[-._*~^|+/\\']/;
const WITHIN_A_WORD = /^[\p{L}--[\u3040-\u30ff\u3400-\u9fff]]{2}$/v;
const DIGIT_WITHIN_WORD = /(?<=[a-z])[013457]|[013457](?=[a-z]{2})/g;
const LETTER_OF_DIGIT: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const BACKWARDS = /erongi|tpmorp|snoitcurtsni|suoiverp/;
const ROTATED = /vtaber|vafgehpgvba|cerivbhf|flfgrz cebzcg/;

/** The text, and what it says once letters, digits and marks that only disguise it are read as a person reads them. */
function readingsOf(folded: string): string[] {
  const readings = [folded];
  const joined = folded
    .replace(LETTERS_APART, (run) => run.replace(/[ ._*-]/g, ''))
    .replace(CHARACTERS_APART, (run) => run.replace(/[ .·*_-]/g, ''));
  const together = MARK.test(joined) ? withoutMarksInWords(joined) : joined;
  if (together !== folded) readings.push(together);
  const spelled = spelledOut(together);
  if (spelled !== together) readings.push(spelledOut(spelled));
  if (BACKWARDS.test(folded)) readings.push(Array.from(folded).reverse().join(''));
  if (ROTATED.test(folded)) readings.push(folded.replace(/[a-z]/g, rotated));
  return readings;
}

function withoutMarksInWords(text: string): string {
  return text.replace(MARKS_IN_A_ROW, (marks, at: number) =>
    WITHIN_A_WORD.test(text.charAt(at - 1) + text.charAt(at + marks.length)) ? '' : marks,
  );
}

function spelledOut(text: string): string {
  return text.replace(DIGIT_WITHIN_WORD, (digit) => LETTER_OF_DIGIT[digit] ?? digit);
}

function rotated(letter: string): string {
  return String.fromCharCode(((letter.charCodeAt(0) - 0x61 + 13) % 26) + 0x61);
}
