import type { OperatorQuote } from '../quotes/booking-system.ts';
import { cleanText } from './operator-text.ts';

const MAX_LABEL_LENGTH = 120;

/** All or none: a breakdown without one of its lines would no longer add up. */
export function cleanLines(lines: OperatorQuote['lines']): OperatorQuote['lines'] {
  const cleaned = lines.flatMap(({ label, amount }) => {
    const text = cleanText(label, MAX_LABEL_LENGTH);
    return text.kind === 'valid' && text.value !== '' ? [{ label: text.value, amount }] : [];
  });
  return cleaned.length === lines.length ? cleaned : [];
}
