import type {
  ComparisonAnswer,
  OpenedSession,
  ProblemAnswer,
  SearchAnswer,
  SearchQuestion,
  SearchRefusal,
  StayValues,
} from './answers.ts';
import type { RetryNotice } from './send-request.ts';

/** What is known of the stay, by the names of the fields, and how to learn the rest. */
export type SearchInput = Omit<StayValues, 'amenities'> & {
  /** Applied one by one. Those that no match has are in `unmetAmenities` of the outcome. */
  readonly amenities?: readonly string[] | undefined;
  /** The brand to search through; null for every brand. Left out, that of the client. */
  readonly source?: string | null | undefined;
  /**
   * Asked for a field that is missing or was refused: returns a value, or null to stop. Without it the search stops at the
   * first question.
   */
  readonly choose?: ((question: SearchQuestion) => Chosen | Promise<Chosen>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
};

export type ChosenValue = string | number | boolean;
type Chosen = ChosenValue | null;

export type SearchProgress =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'sending'; readonly values: StayValues }
  | { readonly kind: 'answered'; readonly answer: SearchAnswer }
  | ({ readonly kind: 'retrying' } & RetryNotice);

/** An amenity that the set was not narrowed by, and why. */
export type UnmetAmenity = { readonly amenity: string; readonly refusal: SearchRefusal };

export type SearchOutcome =
  | (ComparisonAnswer & { readonly unmetAmenities: readonly UnmetAmenity[] })
  /** A choice was needed and none was made. The session goes on: `step` takes the answer. */
  | {
      readonly kind: 'stopped';
      readonly session: string;
      readonly question: SearchQuestion;
      readonly because: 'no_choice' | 'too_many_questions';
    }
  | ProblemAnswer;
