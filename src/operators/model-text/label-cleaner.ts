import { cleanText } from './operator-text.ts';
import { ruleAgainstText } from './text-for-a-model.ts';

/** The labels of the lines of a price, in one document. */
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

/** Most homes of an operator have the same few labels, so each of them, and each breakdown, is judged once. */
export function createLabelCleaner(): LabelCleaner {
  const cleaned = new Map<string, string>();
  const harmless = new Map<string, boolean>();

  function remember<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
    const value = known.get(key) ?? compute();
    if (known.size < MAX_REMEMBERED) known.set(key, value);
    return value;
  }

  return {
    clean(label) {
      const raw = label.slice(0, MAX_RAW_LENGTH);
      return remember(cleaned, raw, () => {
        const text = cleanText(raw, MAX_LABEL_LENGTH);
        return text.kind === 'valid' ? text.value.text : '';
      });
    },
    canStandTogether(labels) {
      const together = labels.join(' ');
      return remember(harmless, together, () => ruleAgainstText(together) === undefined);
    },
  };
}
