import { cleanLines } from './quote-lines.ts';

/** Twice what is shown of a label: the rest is markup, or there to be cleaned at length. */
const MAX_RAW_LENGTH = 240;
const MAX_REMEMBERED = 1000;

/**
 * Cleans the labels of one document; one that cannot be shown becomes empty. Most homes of an operator have the same few
 * labels, so each is cleaned once.
 */
export function createLabelCleaner(): (label: string) => string {
  const known = new Map<string, string>();
  return (label) => {
    const raw = label.slice(0, MAX_RAW_LENGTH);
    const clean = known.get(raw) ?? cleanLines([{ label: raw, amount: 0 }])[0]?.label ?? '';
    if (known.size < MAX_REMEMBERED) known.set(raw, clean);
    return clean;
  };
}
