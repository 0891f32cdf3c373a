import type { components } from './interface-types.ts';

type Schemas = components['schemas'];
type SearchRequestBody = Schemas['SearchRequest'];

/** What `open` returns. Its `session` is the token that every later call carries. */
export type OpenedSession = Schemas['SessionBody'];
/** The step of a search that lacks a field. */
export type QuestionBody = Schemas['SearchStep'];
/** What search says when it does not take a value, or cannot go on. */
export type RefusalBody = Schemas['SearchProblem'];
/** The comparison set: options ranked by their total price. */
export type ComparisonBody = Schemas['ResultBody'];
/** What the service says when it cannot do what was asked. */
export type ProblemBody = Schemas['Problem'] | Schemas['SearchProblem'];
/** One home with its live price. */
export type StayOption = ComparisonBody['results'][number];
/** The price of the whole stay, as its operator's booking system gave it. */
export type StayQuote = StayOption['quote'];

/** The fields of a search by their names. Any of them may be sent in any step, several at once. */
export type StayValues = {
  readonly [Field in StayField]?: SearchRequestBody[Field] | undefined;
};
export type StayField = Exclude<keyof SearchRequestBody & keyof QuestionBody['allowed_values'], 'source'>;

/** A session as `open` returned it, an answer of it, or its token. With an answer that has none, calls reject with `no_session`. */
export type SessionReference = string | { readonly session: string | null };

/** The search lacks a field: `question` has what can be chosen. */
export type QuestionAnswer = {
  readonly kind: 'question';
  readonly session: string;
  readonly question: SearchQuestion;
  readonly body: QuestionBody;
};

/** A value was not taken. The others of the request were, as `body.accepted_fields` says. */
export type RefusalAnswer = {
  readonly kind: 'refusal';
  readonly session: string;
  /** The first is the one that `body` is about. */
  readonly refusals: readonly SearchRefusal[];
  readonly question: SearchQuestion;
  readonly body: RefusalBody;
};

/** The search is complete. */
export type ComparisonAnswer = {
  readonly kind: 'comparison';
  readonly session: string;
  /** What was not taken although the rest completed the search: the set may be wider than was asked for. */
  readonly refusals: readonly SearchRefusal[];
  /** False when the search has changed since this set: it is not what would be found now. */
  readonly isCurrent: boolean;
  readonly body: ComparisonBody;
};

/** The service cannot go on: see `code`, and `body.next_request` for the way on. */
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

/** Why a value was not taken. */
export type SearchRefusal = NonNullable<RefusalBody['other_refusals']>[number];

/** What has to be chosen next. */
export type SearchQuestion = {
  readonly field: QuestionField;
  /** Every value leads on to a match. For a refused value whose field has none on offer yet, those nearest to it. */
  readonly choices: readonly SearchChoice[];
  /** How many values there are; more than `choices` where the list was cut. The others are accepted too. */
  readonly total: number;
  /** What to know about the field. */
  readonly hint: string | null;
  /** Why the value that was sent for this field was not taken, and what is nearest to it; null when none was sent. */
  readonly refusal: SearchRefusal | null;
  /** Fields that are still open, this one among them. */
  readonly missing: readonly string[];
};

/** One value on offer. */
export type SearchChoice = {
  /** What to send. */
  readonly value: string;
  /** What to show: the name of a place, the meaning of a boolean, otherwise the value. */
  readonly label: string;
  /** How many of the matches have an amenity, and of how many. */
  readonly matchCount?: number;
  readonly of?: number;
};

/** Those of today; a service may have others. */
type QuestionField = StayField | (string & Record<never, never>);
