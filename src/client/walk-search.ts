import type {
  ComparisonAnswer,
  OpenedSession,
  ProblemAnswer,
  RefusalAnswer,
  SearchAnswer,
  SearchQuestion,
  SearchRefusal,
  StayValues,
} from './answers.ts';
import type { OpenOptions, RequestOptions, RetryNotice } from './client-options.ts';
import { orAborted } from './send-request.ts';

/** The known values of the stay, by field name, and how to choose the others. */
export type SearchInput = Omit<StayValues, 'amenities'> & {
  /** Applied one by one. Amenities that no match has are in `unmetAmenities` of the outcome. */
  readonly amenities?: readonly string[] | undefined;
  /** The brand to search; null for every brand. Default: the brand of the client. */
  readonly source?: string | null | undefined;
  /**
   * Called for a field that is missing or was refused: returns a value, or null to stop. Without it the search stops at the
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

/** An amenity that did not narrow the set, and the reason. */
export type UnmetAmenity = { readonly amenity: string; readonly refusal: SearchRefusal };

export type SearchOutcome =
  | (ComparisonAnswer & { readonly unmetAmenities: readonly UnmetAmenity[] })
  /** A choice is missing. The session stays open: `step` takes the answer. */
  | {
      readonly kind: 'stopped';
      readonly session: string;
      readonly question: SearchQuestion;
      readonly because: 'no_choice' | 'too_many_questions';
    }
  | ProblemAnswer;

type Calls = {
  open(options: OpenOptions): Promise<OpenedSession | ProblemAnswer>;
  step(session: string, values: StayValues, options: RequestOptions): Promise<SearchAnswer>;
};

/** Enough for six fields that are each refused a few times; a longer search makes no progress. */
const MAX_QUESTIONS = 30;
const SESSION_IS_GONE: ReadonlySet<string> = new Set(['session_expired', 'session_not_found']);
/** When all of these are known, the first amenity is sent with them, so that prices are requested once. */
const WHOLE_STAY = ['destination', 'check_in_day', 'check_out', 'guests'];

export async function walkSearch(input: SearchInput, calls: Calls): Promise<SearchOutcome> {
  const { amenities = [], source, choose, signal, onProgress, ...stay } = input;
  const requestOptions: RequestOptions = {
    signal,
    onRetry: (notice) => onProgress?.({ kind: 'retrying', ...notice }),
  };
  /** The values that are known and were not refused. */
  const knownValues = new Map<string, unknown>(
    Object.entries(stay).filter(([, value]) => value !== undefined),
  );
  const refused = new Map<string, SearchRefusal>();
  let questionsLeft = MAX_QUESTIONS;

  const outcome = await searchInNewSession();
  const isSessionGone = outcome.kind === 'problem' && SESSION_IS_GONE.has(outcome.code);
  return isSessionGone ? searchInNewSession() : outcome;

  async function searchInNewSession(): Promise<SearchOutcome> {
    const opened = await calls.open({ ...requestOptions, source });
    if ('kind' in opened) return opened;
    onProgress?.({ kind: 'opened', session: opened });
    // A session over every brand does not have the field and would refuse it.
    if (opened.source === null) knownValues.delete('brand_locked');
    return takeSteps(async (values) => {
      onProgress?.({ kind: 'sending', values });
      const answer = await calls.step(opened.session, values, requestOptions);
      onProgress?.({ kind: 'answered', answer });
      return answer;
    });
  }

  async function takeSteps(send: (values: StayValues) => Promise<SearchAnswer>): Promise<SearchOutcome> {
    const firstAmenity = WHOLE_STAY.every((field) => knownValues.has(field)) ? amenities[0] : undefined;
    let values: StayValues = {
      ...Object.fromEntries(knownValues),
      ...(firstAmenity === undefined ? {} : { amenities: firstAmenity }),
    };
    for (;;) {
      const answer = await send(values);
      if (answer.kind === 'problem') return answer;
      if (answer.kind === 'comparison') {
        const refusals = [...absentFields(), ...answer.refusals];
        return narrowSet({ ...answer, refusals }, { tried: values.amenities, amenities, send });
      }
      const waiting = answer.kind === 'refusal' ? dropRefused(answer) : {};

      const question = { ...answer.question, refusal: refused.get(answer.question.field) ?? null };
      const stopped = { kind: 'stopped', session: answer.session, question } as const;
      if (questionsLeft === 0) return { ...stopped, because: 'too_many_questions' };
      questionsLeft -= 1;
      const chosen = choose ? await orAborted(Promise.resolve(choose(question)), signal) : null;
      if (chosen === null || chosen === undefined) return { ...stopped, because: 'no_choice' };
      knownValues.set(question.field, chosen);
      refused.delete(question.field);
      values = { ...waiting, [question.field]: chosen };
    }
  }

  /** Refusals of earlier steps for fields that the session lacks, such as the place of a brand with a single place. */
  function absentFields(): readonly SearchRefusal[] {
    return [...refused.values()].filter(({ error }) => error === 'unknown_field');
  }

  /**
   * Drops refused values and stores their refusals until the fields are asked for, which may be several steps later. Returns
   * the values that only came too early, to be sent with the next answer.
   */
  function dropRefused({ refusals, body }: RefusalAnswer): StayValues {
    const early = refusals.filter(({ field = '', error }) => {
      const prerequisite = body.depends_on?.[field];
      const isRefused = refusals.some((refusal) => refusal.field === prerequisite);
      return error === 'prerequisite_missing' && knownValues.has(field) && !isRefused;
    });
    const waiting = early.map(({ field = '' }) => [field, knownValues.get(field)]);
    for (const refusal of refusals.filter((one) => !early.includes(one))) {
      if (refusal.field === undefined) continue;
      refused.set(refusal.field, refusal);
      knownValues.delete(refusal.field);
    }
    return Object.fromEntries(waiting);
  }
}

/** Applies the amenities one by one, as the interface requires. Those that narrow nothing leave the set unchanged. */
async function narrowSet(
  complete: ComparisonAnswer,
  {
    tried,
    amenities,
    send,
  }: {
    /** The amenity that was sent with the stay. */
    readonly tried: StayValues['amenities'];
    readonly amenities: readonly string[];
    send(values: StayValues): Promise<SearchAnswer>;
  },
): Promise<SearchOutcome> {
  const unmetAmenities: UnmetAmenity[] = [];
  const note = (amenity: string, refusals: readonly SearchRefusal[]) => {
    const refusal = refusals.find(({ field }) => field === 'amenities');
    if (refusal && !everyOptionHas(refusal)) unmetAmenities.push({ amenity, refusal });
  };
  let set = complete;
  for (const amenity of new Set(amenities)) {
    if (amenity === tried) {
      note(amenity, set.refusals);
      continue;
    }
    const answer = await send({ amenities: amenity });
    if (answer.kind === 'problem') return answer;
    if (answer.kind === 'question') return { ...answer, kind: 'stopped', because: 'no_choice' };
    if (answer.kind === 'comparison') set = answer;
    note(amenity, answer.refusals);
  }
  const refusals = complete.refusals.filter(({ field }) => field !== 'amenities');
  return { ...set, refusals, unmetAmenities };
}

/** Whether an amenity was refused because it is applied already, or because every match has it. */
function everyOptionHas({ reason }: SearchRefusal): boolean {
  if (reason?.code === 'already_applied') return true;
  return reason?.code === 'not_discriminating' && reason.having === reason.of;
}
