import { formatCell } from '../analytics/reports/format-cell.ts';
import { wordsFor } from '../analytics/reports/words.ts';
import { type Body, bodyOf } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';
import { SEARCH_FIELDS } from '../contract/payload-fields.ts';
import { sentenceOf } from '../contract/refusal-reasons.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import { valid } from '../parsing/reading.ts';
import type { Random } from '../random.ts';
import { operationRequest, type ServeOperation } from '../requests/serve-operation.ts';
import { CONSOLE_ASSISTANT } from '../sessions/session.ts';
import { dayText, parseDay } from '../stay/day.ts';

/** A search by the owner, as an assistant would do it. */
export type Trial = {
  /** Never shown in a page or a URL. */
  readonly token: string | null;
  /** The oldest first. */
  readonly steps: readonly TrialStep[];
};

export type TrialStep = {
  /** The request in words. */
  readonly sent: string;
  /** The answer as assistants receive it. */
  readonly answer: Body;
};

/** Not an assistant, so trials do not count as demand. The operators' answers count. */
const CALLER = { assistant: CONSOLE_ASSISTANT, address: '127.0.0.1' };
const ID_BYTES = 8;
/** Results are large, so the oldest answers are dropped. */
const MAX_STEPS = 20;

export function createTrials(serveOperation: ServeOperation, random: Random) {
  async function call(
    operation: OperationName,
    token: string | undefined,
    values: Readonly<Record<string, string>>,
  ): Promise<TrialStep['answer']> {
    const answer = await serveOperation(
      operationRequest({
        id: `console-${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`,
        operation,
        caller: CALLER,
        token,
        keys: [],
        versions: [],
        values: valid(new Map(Object.entries(values))),
        // Answers repeat the method, so use the assistants' one.
        method: operation === 'readResult' ? 'GET' : 'POST',
      }),
    );
    return bodyOf(answer);
  }

  return {
    async open(source: string | null): Promise<Trial> {
      const opened = await call('openSession', undefined, source === null ? {} : { source });
      const sent = source === null ? 'Open a session' : `Open a session through ${source}`;
      const token = 'session' in opened ? opened.session : null;
      const steps = [{ sent, answer: opened }];
      if (token === null) return { token, steps };
      const first = await call('search', token, {});
      return { token, steps: [...steps, { sent: 'What is asked for first?', answer: first }] };
    },
    /** A blank value shows the state of the search, without the last refusal. */
    async supply(trial: Trial, field: string, value: string): Promise<Trial> {
      const { token, steps } = trial;
      if (token === null) return trial;
      const last = steps.at(-1)?.answer;
      const hasResult = last && (isResult(last) || ('result_ready' in last && last.result_ready === true));
      let step: TrialStep;
      if (value.trim() !== '') {
        const answer = await call('search', token, { [field]: value });
        step = { sent: `${wordsFor(field)}: ${value}`, answer };
      } else if (hasResult) {
        step = { sent: 'The result again', answer: await call('readResult', token, {}) };
      } else {
        step = { sent: 'What is asked for now?', answer: await call('search', token, {}) };
      }
      return { ...trial, steps: [...steps, step].slice(-MAX_STEPS) };
    },
  };
}

export function isResult(body: Body): body is ResultBody {
  return 'object' in body && body.object === 'search_result';
}

/** Names for the identifiers in an answer. */
export type TrialNames = {
  readonly place: (id: string) => string | undefined;
  readonly brand: (id: string) => string | undefined;
  /** Labels of amenities by their keys, if the answer has them. */
  readonly amenities: Readonly<Record<string, string>>;
};

/** Members of answers that are not search fields. */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  source: 'through',
  check_in: 'day of arrival',
};

/** The reports' words for a field. */
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

/** A refusal for a person: the assistant's text without the names of members. */
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

/** Sat 15 May 2027. Any other text stays unchanged. */
function dayInWords(date: string): string {
  const day = parseDay(date);
  return day === undefined ? date : dayText(day);
}

/** Sat 15 May 2027 · 7 nights, if the arrival is known. */
export function departureInWords(checkOut: string, checkIn: string): string {
  const [from, to] = [parseDay(checkIn), parseDay(checkOut)];
  if (from === undefined || to === undefined) return dayInWords(checkOut);
  const nights = to - from;
  return `${dayText(to)} · ${nights} ${nights === 1 ? 'night' : 'nights'}`;
}
