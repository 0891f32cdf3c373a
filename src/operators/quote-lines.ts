import type { OperatorQuote } from '../quotes/booking-system.ts';
import { cleanText } from './operator-text.ts';

const MAX_LABEL = 120;

/** All or nothing: a breakdown without one of its lines would no longer add up. */
export function cleanLines(lines: OperatorQuote['lines']): OperatorQuote['lines'] {
  const cleaned = lines.flatMap(({ label, amount }) => {
    const outcome = cleanText(label, MAX_LABEL);
    return 'text' in outcome && outcome.text !== '' ? [{ label: outcome.text, amount }] : [];
  });
  return cleaned.length === lines.length ? cleaned : [];
}
