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
  const suggestions = refusals.find((refusal) => refusal.field === field)?.suggestions;
  return new UsageFault(
    refusals.length > 0
      ? refusals.map(refusalText)
      : [`${option} is not given.${hint === null ? '' : ` ${hint}`}`],
    values.length > 0 ? `give ${option} ${FORMS[field] ?? 'one of'} ${listed(values, total)}` : null,
    null,
    {
      question: {
        field,
        option,
        ...(refusals.length > 0 ? { refusals } : {}),
        ...(suggestions ? { suggestions } : {}),
        allowed_values: values,
        total,
      },
    },
  );
}

/** Where the values on offer are not what the option takes in the end. */
const FORMS: Readonly<Record<string, string>> = {
  check_in_month: 'a day, or first a month, to be told its days, out of',
};

function listed(values: readonly string[], total: number): string {
  const shown = values.slice(0, MAX_LISTED);
  const more = total - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What an assistant is to ask the traveller about; here the traveller reads it. */
const TO_ASSISTANTS =
  / (?:Ask the traveller before you follow|No value on offer is near it|If it is not clear what was meant)\b.*$/;

/** `--guests: No home that fits the other answers sleeps so many; 8 is the most. Nearest: 8, 7.` */
export function refusalText({ field, message, suggestions = [] }: SearchRefusal): string {
  const said =
    message.replace(/^Invalid value for field: \w+\.?\s*/, '').replace(TO_ASSISTANTS, '') || message;
  const near = suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : '';
  return `${field === undefined ? '' : `${optionFor(field)}: `}${said}${near}`;
}
