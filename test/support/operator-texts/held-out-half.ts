import { createHash } from 'node:crypto';

// A text is tuned on or held out for good: adding texts to the corpus does not move the others.
export function isHeldOut(text: string): boolean {
  return ((createHash('sha256').update(text).digest()[0] ?? 0) & 1) === 1;
}
