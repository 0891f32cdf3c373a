import type {
  ComparisonBody,
  QuestionAnswer,
  RefusalAnswer,
  SearchQuestion,
  SearchRefusal,
  StayField,
  StayOption,
  StayValues,
} from '../../client/client.ts';
import {
  calendarDay,
  type Day,
  formatMonth,
  type Month,
  monthOf,
  parseDay,
  parseMonth,
} from '../../stay/day.ts';
import type { CliTools } from '../command.ts';
import { UsageFault } from '../faults.ts';
import type { Choice, Question, Terminal } from '../terminal.ts';
import { amenityLabel, oneLine, priceText, unansweredBrands } from './result-text.ts';
import { faultOfService, optionFor, type SearchSession } from './search-session.ts';

type OpenAnswer = QuestionAnswer | RefusalAnswer;
type AskTools = Pick<CliTools, 'terminal' | 'clock'>;

const MESSAGES: Readonly<Record<string, string>> = {
  brand_locked: 'Which homes?',
  destination: 'Where to?',
  guests: 'How many people? Children and infants count too',
};
/** Longer lists can be filtered by typing. */
const MIN_CHOICES_TO_FILTER = 10;
/** The choice of a place that is not in the cut list; no place has an empty identifier. */
const ANOTHER_PLACE = '';

/** Asks a person for the next field, among the values on offer. */
export async function askForField(
  answer: OpenAnswer,
  session: SearchSession,
  tools: AskTools,
): Promise<StayValues> {
  const { question } = answer;
  switch (question.field) {
    case 'check_in_month':
    case 'check_in_day':
      return { check_in_day: await askForArrival(answer, session, tools) };
    case 'check_out':
      return { check_out: await askForDeparture(answer, tools) };
    default:
      return { [question.field]: await askForChoice(answer, tools) };
  }
}

async function askForChoice(answer: OpenAnswer, { terminal }: AskTools): Promise<string> {
  const { field, choices, total } = answer.question;
  if (choices.length === 0) throw openQuestion(answer.question, refusalsOf(answer));
  const option = optionFor(field);
  const near = suggestionsFor(field, answer);
  const offered: readonly Choice[] = choices.map(({ value, label }) => ({
    value,
    label: placeLabel(value, answer) ?? oneLine(label),
    ...(near.includes(value) ? { hint: 'near to what you wanted' } : {}),
  }));
  const suggested = near.flatMap((value) => offered.filter((choice) => choice.value === value));
  const others = offered.filter(({ value }) => !near.includes(value));
  const chosen = await terminal.ask({
    message: MESSAGES[field] ?? `${field}?`,
    option,
    canFilter: choices.length >= MIN_CHOICES_TO_FILTER,
    choices: [
      ...suggested,
      ...others,
      ...(total > choices.length ? [{ value: ANOTHER_PLACE, label: 'Another place, by its name …' }] : []),
    ],
  });
  return chosen === ANOTHER_PLACE ? terminal.ask({ message: 'Its name', option }) : chosen;
}

/** `Lisbon, Lisbon Region, Portugal` instead of the identifier. */
function placeLabel(value: string, { question, body }: OpenAnswer): string | undefined {
  const places = body.places ?? {};
  if (question.field !== 'destination' || !Object.hasOwn(places, value)) return undefined;
  const names: string[] = [];
  for (let id: string | null = value; id !== null && Object.hasOwn(places, id); ) {
    const place: (typeof places)[string] | undefined = places[id];
    // Ends a loop of places that contain each other.
    if (!place || names.length >= MAX_NESTED_PLACES) break;
    names.push(oneLine(place.name));
    id = place.within;
  }
  return [...new Set(names)].join(', ');
}

const MAX_NESTED_PLACES = 4;

async function askForArrival(
  answer: OpenAnswer,
  session: SearchSession,
  { terminal, clock }: AskTools,
): Promise<string> {
  const { allowed_values: allowed = {} } = answer.body;
  const known = daysIn(allowed.check_in_day);
  const months = (allowed.check_in_month ?? []).flatMap((text) => parseMonth(text) ?? []);
  const offered = months.length > 0 ? months : [...new Set(known.map(monthOf))];
  if (offered.length === 0) throw openQuestion(answer.question, refusalsOf(answer));
  const today = localToday(clock.now());
  const [suggestion] = suggestionsFor('check_in_day', answer);
  return terminal.askForDay({
    message: 'Arrival',
    option: optionFor('check_in_day'),
    months: offered.toSorted((one, other) => one - other),
    near: parseDay(suggestion ?? '') ?? today,
    today,
    arrival: null,
    daysOf: (month) => daysOf(month, known, session),
  });
}

async function daysOf(month: Month, known: readonly Day[], session: SearchSession): Promise<readonly Day[]> {
  const ofMonth = known.filter((day) => monthOf(day) === month);
  if (ofMonth.length > 0) return ofMonth;
  const answer = await session.send({ check_in_month: formatMonth(month) });
  if (answer.kind === 'problem') throw faultOfService(answer, 'The service');
  return answer.kind === 'comparison' ? [] : daysIn(answer.body.allowed_values?.check_in_day);
}

async function askForDeparture(answer: OpenAnswer, { terminal, clock }: AskTools): Promise<string> {
  const days = answer.question.choices.flatMap(({ value }) => parseDay(value) ?? []);
  const [first] = days;
  if (first === undefined) throw openQuestion(answer.question, refusalsOf(answer));
  const [suggestion] = suggestionsFor('check_out', answer);
  return terminal.askForDay({
    message: 'Departure',
    option: optionFor('check_out'),
    months: [...new Set(days.map(monthOf))],
    near: parseDay(suggestion ?? '') ?? first,
    today: localToday(clock.now()),
    arrival: parseDay(answer.body.received?.check_in_day ?? '') ?? null,
    daysOf: async (month) => days.filter((day) => monthOf(day) === month),
  });
}

function refusalsOf(answer: OpenAnswer): RefusalAnswer['refusals'] {
  return answer.kind === 'refusal' ? answer.refusals : [];
}

function suggestionsFor(field: string, answer: OpenAnswer): readonly string[] {
  return refusalsOf(answer).find((refusal) => refusal.field === field)?.suggestions ?? [];
}

function daysIn(texts: readonly string[] = []): readonly Day[] {
  return texts.flatMap((text) => parseDay(text) ?? []);
}

/** Today on the person's clock: only marked in the calendar, never used to decide. */
function localToday(now: number): Day {
  const date = new Date(now);
  return calendarDay(date.getFullYear(), date.getMonth() + 1, date.getDate()) ?? 0;
}

const MAX_LISTED = 40;

/** The fault for a refused or missing value where no person can be asked, with the values on offer as data and as text. */
export function openQuestion(
  { field, choices, total, hint }: Pick<SearchQuestion, 'field' | 'choices' | 'total' | 'hint'>,
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

/** For fields whose values on offer are not yet what the option needs. */
const FORMS: Readonly<Record<string, string>> = {
  check_in_month: 'a day, or first a month, to be told its days, out of',
};

function listed(values: readonly string[], total: number): string {
  const shown = values.slice(0, MAX_LISTED);
  const more = total - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Sentences that tell an assistant to ask the traveller; cut here, because the traveller is reading. */
const TO_ASSISTANTS =
  / (?:Ask the traveller before you follow|No value on offer is near it|If it is not clear what was meant)\b.*$/;

/** `--guests: No home that fits the other answers sleeps so many; 8 is the most. Nearest: 8, 7.` */
export function refusalText({ field, message, suggestions = [] }: SearchRefusal): string {
  const said =
    message.replace(/^Invalid value for field: \w+\.?\s*/, '').replace(TO_ASSISTANTS, '') || message;
  const near = suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : '';
  return `${field === undefined ? '' : `${optionFor(field)}: `}${said}${near}`;
}

type NextAction =
  | { readonly kind: 'show' | 'open'; readonly option: StayOption }
  | { readonly kind: 'narrow'; readonly amenity: string }
  | { readonly kind: 'change'; readonly field: StayField }
  | { readonly kind: 'clear' | 'again' | 'quit' };

/** The fields with their names for people. A new arrival needs a new departure, so both are asked for. */
const CHANGES: readonly (readonly [StayField, string])[] = [
  ['destination', 'the place'],
  ['check_in_day', 'arrival and departure'],
  ['check_out', 'the departure'],
  ['guests', 'the number of people'],
  ['brand_locked', 'this brand alone, or every brand'],
];

/** Leads back to the first question; no value on offer is empty. */
const BACK: Choice = { value: '', label: 'Back' };

/** Asks what to do with a result, and asks again when the person goes back from a choice. */
export async function askWhatNext(
  body: ComparisonBody,
  terminal: Pick<Terminal, 'ask'>,
): Promise<NextAction> {
  for (;;) {
    const next = await askOnce(body, terminal);
    if (next) return next;
  }
}

async function askOnce(body: ComparisonBody, terminal: Pick<Terminal, 'ask'>): Promise<NextAction | null> {
  const { available_requests: ways, results, applied_filters } = body;
  const amenities = ways.refine?.options ?? [];
  const filters = applied_filters.amenities.map((amenity) => amenityLabel(amenity, body));
  const kind = await choose('What next?', [
    ...(results.length > 0
      ? [
          { value: 'show', label: 'Show one home in full' },
          { value: 'open', label: 'Open the page of one in the browser' },
        ]
      : []),
    ...(amenities.length > 0 ? [{ value: 'narrow', label: 'Only homes with …' }] : []),
    ...(filters.length > 0
      ? [{ value: 'clear', label: `All homes again, not only with ${filters.join(', ')}` }]
      : []),
    { value: 'change', label: 'Change the stay' },
    ...(unansweredBrands(body).length > 0 ? [{ value: 'again', label: 'Ask the brands again' }] : []),
    { value: 'quit', label: 'Quit' },
  ]);
  switch (kind) {
    case 'show':
    case 'open': {
      const rank = await chooseOrGoBack(
        'Which home?',
        results.map(({ rank: place, name, quote }) => ({
          value: String(place),
          label: `${place}. ${oneLine(name)} · ${priceText(quote.amount, oneLine(quote.currency))}`,
        })),
      );
      const option = results.find(({ rank: place }) => String(place) === rank);
      return option ? { kind, option } : null;
    }
    case 'narrow': {
      const amenity = await chooseOrGoBack(
        'Only homes with',
        amenities.map(({ value, match_count, of }) => ({
          value,
          label: `${amenityLabel(value, body)} · ${match_count} of ${of}`,
        })),
      );
      return amenity === BACK.value ? null : { kind, amenity };
    }
    case 'change': {
      const fields = CHANGES.filter(([field]) => Object.hasOwn(ways.change, field));
      const chosen = await chooseOrGoBack(
        'Change what?',
        fields.map(([value, label]) => ({ value, label })),
      );
      const field = fields.find(([one]) => one === chosen)?.[0];
      return field ? { kind, field } : null;
    }
    case 'clear':
    case 'again':
      return { kind };
    default:
      return { kind: 'quit' };
  }

  function choose(
    message: string,
    choices: readonly Choice[],
    more: Pick<Question, 'atEscape'> = {},
  ): Promise<string> {
    const canFilter = choices.length >= MIN_CHOICES_TO_FILTER;
    return terminal.ask({ message, option: '--json', choices, canFilter, ...more });
  }

  function chooseOrGoBack(message: string, choices: readonly Choice[]): Promise<string> {
    return choose(message, [...choices, BACK], { atEscape: BACK.value });
  }
}
