import { formatCell } from '../analytics/reports/format-cell.ts';
import { wordsFor } from '../analytics/reports/words.ts';
import { SEARCH_FIELDS } from '../contract/payload-fields.ts';
import { sentenceOf } from '../contract/refusal-reasons.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import { dayInWords } from './day-in-words.ts';

/** What people call the things that an answer names by their identifiers. */
export type TrialNames = {
  readonly place: (id: string) => string | undefined;
  readonly brand: (id: string) => string | undefined;
  /** Labels of amenities by their keys, as far as the answer tells them. */
  readonly amenities: Readonly<Record<string, string>>;
};

/** Members of answers that are no fields of the search. */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  source: 'through',
  check_in: 'day of arrival',
};

/** The words that the reports have for it. */
export function fieldWords(field: string): string {
  return Object.hasOwn(MEMBER_WORDS, field) ? (MEMBER_WORDS[field] ?? field) : wordsFor(field);
}

export function valueWords(field: string, value: string, names: TrialNames): string {
  switch (field) {
    case 'destination':
      return names.place(value) ?? value;
    case 'source':
      return names.brand(value) ?? value;
    case 'brand_locked':
      return value === 'true' ? 'only this brand' : 'all brands';
    case 'check_in_month':
      return formatCell(value, 'month');
    case 'check_in':
    case 'check_in_day':
    case 'check_out':
      return dayInWords(value);
    case 'amenities':
      return Object.hasOwn(names.amenities, value) ? (names.amenities[value] ?? value) : wordsFor(value);
    default:
      return value;
  }
}

type ShownRefusal = Pick<Partial<SearchProblem>, 'error' | 'message' | 'reason' | 'invalid_field'>;

/** A refusal for a person: what the assistant is told, without the names of members. */
export function refusedInWords({ error = '', message, reason, invalid_field: field }: ShownRefusal): string {
  if (field === undefined || reason === undefined) return withFieldWords(message ?? wordsFor(error));
  const about = fieldWords(field);
  return `${about[0]?.toUpperCase()}${about.slice(1)}: ${withFieldWords(sentenceOf(reason, field))}`;
}

function withFieldWords(sentence: string): string {
  return SEARCH_FIELDS.reduce(
    (text, field) => text.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), fieldWords(field)),
    sentence
      .replace('choose one of candidates', 'choose one of those below')
      .replace('With brand_locked false every brand is searched.', 'Every brand can be searched instead.'),
  );
}
