import { LRUCache } from 'lru-cache';
import { cleanText } from './operator-text.ts';
import { ruleAgainstText } from './text-for-a-model.ts';

/** The labels of the lines of a price. */
export type LabelCleaner = {
  /** Empty when it cannot be shown. */
  clean(label: string): string;
  /** Whether they can stand below each other: a sentence or a phone number can be spread over them. */
  canStandTogether(labels: readonly string[]): boolean;
};

const MAX_LABEL_LENGTH = 120;
/** Twice what is shown of a label: the rest is markup, or there to be cleaned at length. */
const MAX_RAW_LENGTH = 2 * MAX_LABEL_LENGTH;
const MAX_REMEMBERED = 1000;
/** Together, so that what is kept is a megabyte at most. */
const MAX_REMEMBERED_LENGTH = 500;

/** Operators have the same few labels in all of their answers, and cleaning one takes longer than reading the rest of its price. */
const cleanedLabels = new LRUCache<string, string>({ max: MAX_REMEMBERED });
const harmlessBreakdowns = new LRUCache<string, boolean>({ max: MAX_REMEMBERED });

export const labelCleaner: LabelCleaner = {
  clean(label) {
    // Never a part of a longer text: V8 would keep all of it.
    return label.length <= MAX_RAW_LENGTH
      ? remembered(cleanedLabels, label, cleanLabel)
      : cleanLabel(label.slice(0, MAX_RAW_LENGTH));
  },
  canStandTogether(labels) {
    const together = labels.join(' ');
    return together.length <= MAX_REMEMBERED_LENGTH
      ? remembered(harmlessBreakdowns, together, isHarmless)
      : isHarmless(together);
  },
};

function remembered<Value extends string | boolean>(
  known: LRUCache<string, Value>,
  key: string,
  compute: (key: string) => Value,
): Value {
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  const value = compute(key);
  known.set(key, value);
  return value;
}

function cleanLabel(raw: string): string {
  const text = cleanText(raw, MAX_LABEL_LENGTH);
  return text.kind === 'valid' ? text.value.text : '';
}

function isHarmless(text: string): boolean {
  return ruleAgainstText(text) === undefined;
}
