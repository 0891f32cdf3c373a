import type { SearchQuestion, SearchRefusal } from '../../client/client.ts';
import { UsageFault } from '../faults.ts';
import { optionFor } from './stay-options.ts';

const MAX_LISTED = 40;

/** A value was refused or is missing, and nobody can be asked: what is on offer, as data and as text. */
export function openQuestion(
  { field, choices, total, hint }: SearchQuestion,
  refusals: readonly SearchRefusal[],
): UsageFault {
  const option = optionFor(field);
  const values = choices.map(({ value }) => value);
  const shown = values.slice(0, MAX_LISTED);
  const more = total - shown.length;
  const offered =
    shown.length > 0 ? [`On offer: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`] : [];
  const [first] = refusals;
  return new UsageFault(
    [
      ...(refusals.length > 0
        ? refusals.map(refusalText)
        : [`${option} is not given.${hint === null ? '' : ` ${hint}`}`]),
      ...offered,
    ],
    `give it with ${option}`,
    null,
    {
      question: {
        field,
        option,
        ...(refusals.length > 0 ? { refusals } : {}),
        allowed_values: values,
        total,
        ...(first?.suggestions ? { suggestions: first.suggestions } : {}),
      },
    },
  );
}

/** `--guests: No home that fits the other answers sleeps so many; 8 is the most. Nearest: 8, 7.` */
export function refusalText({ field, message, suggestions = [] }: SearchRefusal): string {
  const said = message.replace(/^Invalid value for field: \w+\.?\s*/, '') || message;
  const near = suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : '';
  return `${field === undefined ? '' : `${optionFor(field)}: `}${said}${near}`;
}
