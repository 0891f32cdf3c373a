import type { components } from './interface-types.ts';

type Schemas = components['schemas'];
type SearchRequestBody = Schemas['SearchRequest'];

/** The answer of `open`. Its `session` is the token of every later call. */
export type OpenedSession = Schemas['SessionBody'];
/** The step of a search that lacks a field. */
export type QuestionBody = Schemas['SearchStep'];
/** The answer of a search that refuses a value or cannot continue. */
export type RefusalBody = Schemas['SearchProblem'];
/** The comparison set: options ranked by their total price. */
export type ComparisonBody = Schemas['ResultBody'];
/** The answer of a service that cannot carry out a request. */
export type ProblemBody = Schemas['Problem'] | Schemas['SearchProblem'];
/** One home with its live price. */
export type StayOption = ComparisonBody['results'][number];
/** The price of the whole stay, as quoted by its operator's booking system. */
export type StayQuote = StayOption['quote'];

/** The fields of a search by name. Each step may send any number of them. */
export type StayValues = {
  readonly [Field in StayField]?: SearchRequestBody[Field] | undefined;
};
export type StayField = Exclude<keyof SearchRequestBody & keyof QuestionBody['allowed_values'], 'source'>;

/** A session returned by `open`, one of its answers, or its token. With an answer without a session, calls reject with `no_session`. */
export type SessionReference = string | { readonly session: string | null };

/** The search lacks a field: `question` has the choices. */
export type QuestionAnswer = {
  readonly kind: 'question';
  readonly session: string;
  readonly question: SearchQuestion;
  readonly body: QuestionBody;
};

/** A value was refused. The other values of the request were accepted: see `body.accepted_fields`. */
export type RefusalAnswer = {
  readonly kind: 'refusal';
  readonly session: string;
  /** `body` describes the first. */
  readonly refusals: readonly SearchRefusal[];
  readonly question: SearchQuestion;
  readonly body: RefusalBody;
};

/** The search is complete. */
export type ComparisonAnswer = {
  readonly kind: 'comparison';
  readonly session: string;
  /** Values that were refused although the rest completed the search: the set may be wider than the request. */
  readonly refusals: readonly SearchRefusal[];
  /** False when the search has changed since this set. */
  readonly isCurrent: boolean;
  readonly body: ComparisonBody;
};

/** The service cannot continue: see `code`, and `body.next_request` for the next step. */
export type ProblemAnswer = {
  readonly kind: 'problem';
  /** Null where there is no session. */
  readonly session: string | null;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
  readonly body: ProblemBody;
};

export type SearchAnswer = QuestionAnswer | RefusalAnswer | ComparisonAnswer | ProblemAnswer;

/** Why a value was refused. */
export type SearchRefusal = NonNullable<RefusalBody['other_refusals']>[number];

/** The next choice to make. */
export type SearchQuestion = {
  readonly field: QuestionField;
  /** Every choice leads to a match. When a refused field has no values on offer yet, the values nearest to the refused one. */
  readonly choices: readonly SearchChoice[];
  /** The number of values, which may exceed that of `choices`: values that are not listed are accepted too. */
  readonly total: number;
  /** A note about the field. */
  readonly hint: string | null;
  /** Why the value for this field was refused, with the nearest values; null when none was sent. */
  readonly refusal: SearchRefusal | null;
  /** The fields that are still open, including this one. */
  readonly missing: readonly string[];
};

/** One value on offer. */
export type SearchChoice = {
  /** The value to send. */
  readonly value: string;
  /** The text to show: the name of a place, the meaning of a boolean, otherwise the value. */
  readonly label: string;
  /** For an amenity: the number of matches that have it, and of all matches. */
  readonly matchCount?: number;
  readonly of?: number;
};

/** The fields of this version; a newer service may have others. */
type QuestionField = StayField | (string & Record<never, never>);
