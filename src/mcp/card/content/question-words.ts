import type { SearchField } from '../../../contract/payload-fields.ts';
import type { StayQuestion, StayRefusal } from '../../../contract/tools/stay-answer.ts';
import { placeName } from './set-words.ts';
import type { TravellerFormat } from './traveller-format.ts';

/** Words for the traveller, in place of those for the model. */
const FIELDS = {
  brand_locked: { title: 'Brands', asks: 'Only this brand, or others too?' },
  destination: { title: 'Where to', asks: 'Where to?' },
  check_in_month: { title: 'Month of arrival', asks: 'In which month do you arrive?' },
  check_in_day: { title: 'Arrival', asks: 'On which day do you arrive?' },
  check_out: { title: 'Departure', asks: 'On which day do you leave?' },
  guests: { title: 'Guests', asks: 'How many people stay, children included?' },
  amenities: { title: 'Amenities', asks: 'What must it have?' },
} as const satisfies Record<SearchField, { readonly title: string; readonly asks: string }>;

const FIELD_NAMES = new RegExp(Object.keys(FIELDS).join('|'), 'g');
/** Reasons whose sentence is about the syntax of a request. */
const UNREADABLE: readonly string[] = ['not_a_date', 'wrong_type'];
/** The assistant names further choices in the conversation. */
const MAX_CHOICES = 12;

/** One refusal or question in words, with its choices. */
export type CardAsk = { readonly words: string; readonly choices: readonly string[]; readonly more: number };

/** Leaves out faults of the call itself, which the model corrects in its next call. */
export function refusalsInWords(
  refusals: readonly StayRefusal[],
  question: StayQuestion | undefined,
  format: TravellerFormat,
): readonly CardAsk[] {
  return refusals.flatMap(({ field, reason, message, suggestions = [] }) => {
    if (!isField(field) || reason === undefined) return [];
    const words = UNREADABLE.includes(reason.code) ? 'It could not be read.' : reasonInWords(message);
    const names = new Map(question?.offered.map(({ value, means }) => [value, means]));
    const choices = suggestions.map((value) => choiceInWords(field, value, names.get(value), format));
    return [{ words: `${FIELDS[field].title}: ${words}`, choices, more: 0 }];
  });
}

export function questionInWords(question: StayQuestion, format: TravellerFormat): CardAsk | null {
  const { field, offered, offered_in_all } = question;
  if (!isField(field)) return null;
  const shown = offered.slice(0, MAX_CHOICES);
  return {
    words: FIELDS[field].asks,
    choices: shown.map(({ value, means }) => choiceInWords(field, value, means, format)),
    more: offered_in_all - shown.length,
  };
}

/** Leaves out sentences about the traveller, which are for the model. */
function reasonInWords(message: string): string {
  return message
    .split(/(?<=\.) /)
    .filter((sentence) => !/traveller/i.test(sentence))
    .join(' ')
    .replace('; choose one of candidates', '')
    .replace(FIELD_NAMES, (name) => (isField(name) ? FIELDS[name].title.toLowerCase() : name));
}

function choiceInWords(
  field: SearchField,
  value: string | boolean,
  means: string | undefined,
  { day, month }: TravellerFormat,
): string {
  const text = String(value);
  switch (field) {
    case 'brand_locked':
      return text === 'true' ? 'Only this brand' : 'Other brands too';
    case 'destination':
      return means ?? placeName(text);
    case 'check_in_month':
      return month(text);
    case 'check_in_day':
    case 'check_out':
      return day(text);
    default:
      return text.replaceAll('_', ' ');
  }
}

function isField(name: string | undefined): name is SearchField {
  return name !== undefined && Object.hasOwn(FIELDS, name);
}
