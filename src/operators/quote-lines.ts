import type { OperatorQuote } from '../quotes/booking-system.ts';
import { cleanText } from './operator-text.ts';

const MAX_LABEL_LENGTH = 120;
// No breakdown needs more, and a search reads the labels of many homes at once.
const MAX_LINES = 20;
const MAX_LETTERS = 1000;

/** All or none: a breakdown without one of its lines would no longer add up. */
export function cleanLines(lines: OperatorQuote['lines']): OperatorQuote['lines'] {
  if (lines.length > MAX_LINES) return [];
  if (lines.reduce((sum, { label }) => sum + label.length, 0) > MAX_LETTERS) return [];
  const cleaned: { label: string; amount: number }[] = [];
  for (const { label, amount } of lines) {
    const text = cleanText(label, MAX_LABEL_LENGTH);
    if (text.kind === 'invalid' || text.value.text === '') return [];
    cleaned.push({ label: text.value.text, amount });
  }
  return cleaned;
}
