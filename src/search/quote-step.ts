import type { Clock } from '../clock.ts';
import { answerWith } from '../contract/exchange.ts';
import type { Option } from '../contract/option.ts';
import type { ResultBody } from '../contract/result-body.ts';
import { MAX_RESULTS_PER_SESSION } from '../contract/vocabulary.ts';
import type { IssuedQuote, QuoteDetails } from '../sessions/quote-ledger.ts';
import { callerPath } from '../sessions/rate-windows.ts';
import { type Session, withNextRevision } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { withoutToken, withToken } from '../sessions/session-token.ts';
import { formatDay } from '../stay/day.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { CommitStep } from './commit-step.ts';
import type { ComparedOption, Comparison } from './comparison.ts';
import type { CompleteSearch } from './complete-search.ts';
import type { Decision } from './decide-step.ts';
import type { SearchFacts } from './payload.ts';
import { refuseStay } from './refuse-stay.ts';
import type { CarriedOut, SearchEnd } from './search-observer.ts';
import { type StepAnswers, type StepDecision, sideEffectsOf } from './step-answers.ts';
import {
  type AttemptOutcome,
  answered,
  SESSION_EXPIRED,
  SESSION_USED_UP,
  type StepRequest,
} from './step-request.ts';

type CompleteDecision = Extract<Decision, { kind: 'quote' }>;

type FinishedSearch = { readonly after: Session; readonly outcome: AttemptOutcome };

/** Asks the operators for the prices of a complete search, on one node at a time. */
export type QuoteStep = (decision: CompleteDecision, request: StepRequest) => Promise<AttemptOutcome>;

export function createQuoteStep({
  sessions,
  completeSearch,
  answers,
  stepAnswers,
  commit,
  answerAndCommit,
  report,
  facts,
  clock,
  claimMs,
}: {
  readonly sessions: Pick<SessionStore, 'claim' | 'release'>;
  readonly completeSearch: CompleteSearch;
  readonly answers: AnswerWriter;
  readonly stepAnswers: StepAnswers;
  readonly commit: CommitStep;
  /** Answers and commits the refusal when operators have just declined every home. */
  readonly answerAndCommit: (
    decision: StepDecision,
    request: StepRequest,
    search: SearchEnd,
  ) => Promise<AttemptOutcome>;
  /** Reports the outcome to the observer, unless the request is tried again. */
  readonly report: (step: CarriedOut, outcome: AttemptOutcome) => AttemptOutcome;
  readonly facts: () => SearchFacts;
  readonly clock: Clock;
  readonly claimMs: number;
}): QuoteStep {
  async function askOperators(decision: CompleteDecision, request: StepRequest): Promise<AttemptOutcome> {
    const { session, caller, client, supplied } = request;
    const { criteria } = decision;
    const startedAt = clock.elapsed();
    const completed = await completeSearch(criteria, session.expiresAt, {
      caller: callerPath(caller, session.id),
      departure: client.departure(),
      hear: client.hear,
    });
    // The session may have expired while the operators answered, and the prices with it.
    if (session.expiresAt <= clock.now()) return SESSION_EXPIRED;
    const search: SearchEnd = {
      criteria,
      milliseconds: clock.elapsed() - startedAt,
      outcome: completed.kind === 'no_operator_answered' ? { kind: 'operators_silent' } : completed,
    };
    if (completed.kind === 'too_many_searches') {
      return report({ before: session, after: session, supplied, refusal: null, search }, completed);
    }
    if (completed.kind === 'just_refused') {
      return answerAndCommit(refuseStay(decision, supplied, completed, facts()), request, search);
    }
    const { after, outcome } =
      completed.kind === 'no_operator_answered'
        ? await noteSilence(decision, request, completed)
        : await storeResult(decision, request, completed.comparison);
    return report({ before: session, after, supplied, refusal: decision.refusal, search }, outcome);
  }

  async function noteSilence(
    decision: CompleteDecision,
    request: StepRequest,
    {
      retryAfterSeconds,
      silent,
    }: Extract<Awaited<ReturnType<CompleteSearch>>, { kind: 'no_operator_answered' }>,
  ): Promise<FinishedSearch> {
    const details = { sideEffects: sideEffectsOf(request, decision), retryAfterSeconds, silent };
    const isKnown = decision.session === request.session && decision.session.operatorsSilent;
    if (isKnown) {
      const outcome = answered(stepAnswers.untilOperatorsAnswer(request, details));
      return { after: request.session, outcome };
    }
    const session: Session = {
      ...decision.session,
      operatorsSilent: true,
      operatorsAskableAt: clock.now() + retryAfterSeconds * 1000,
    };
    const saved = { ...request, session: withNextRevision(session) };
    const answer = stepAnswers.untilOperatorsAnswer(saved, details);
    const outcome = await commit(request, { session, storesKey: false }, answer);
    return { after: session, outcome };
  }

  async function storeResult(
    decision: CompleteDecision,
    request: StepRequest,
    comparison: Comparison,
  ): Promise<FinishedSearch> {
    const { results = 0 } = request.session;
    const sideEffects = sideEffectsOf(request, decision);
    const session: Session = {
      ...decision.session,
      result: {
        answersPayload: true,
        amenityOffers: comparison.amenityOffers,
        isPartial:
          comparison.unsearchable.length > 0 ||
          comparison.paused.length > 0 ||
          comparison.coverage.some(({ failed }) => failed > 0),
      },
      results: results + 1,
      ...(comparison.options.length > 0 && { hasHadPrices: true }),
      operatorsSilent: false,
    };
    const body = answers.result(comparison, withNextRevision(session), request.token, sideEffects);
    const result = withoutToken(body, request.token);
    const outcome = await commit(
      request,
      { session, isNewState: true, result, quotes: issuedQuotes(comparison, session, body) },
      // Encoding 34 KB of text is expensive, so the answer reuses the bytes for the store.
      answerWith(request.view === 'compact' ? answers.compactResult(body) : withToken(result, request.token)),
    );
    return { after: session, outcome };
  }

  return async (decision, request) => {
    const { id, revision, results = 0 } = request.session;
    if (results >= MAX_RESULTS_PER_SESSION) return SESSION_USED_UP;
    const claim = await sessions.claim(id, revision, claimMs);
    if (claim.kind !== 'claimed') return claim;
    try {
      return await askOperators(decision, request);
    } finally {
      sessions.release(id, revision);
    }
  };
}

/** An operator's text cannot match: JSON escapes its quotation marks. */
const TERMS_WERE_CUT = /"truncated_fields":\[[^\]]*"(?:quote\.line_items|cancellation\.summary)"/;

/** The ledger entries for a new result, with the terms that its text shows. */
function issuedQuotes(
  { criteria, options, place }: Comparison,
  session: Session,
  result: string,
): IssuedQuote[] {
  const { checkIn, checkOut, guests, ...others } = criteria;
  // Not part of the quote. A new criterion does not compile until this code decides whether the ledger stores it.
  const { brand: _brand, place: _place, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  // Searching for plain text first is much faster.
  const wereCut = result.includes('"truncated_fields":') && TERMS_WERE_CUT.test(result);
  const shown: ResultBody['results'] = wereCut ? JSON.parse(result).results : [];
  const [firstDay, lastDay] = [formatDay(checkIn), formatDay(checkOut)];
  return options.map((option, position) => ({
    nxq: option.nxq,
    session: session.id,
    assistant: session.assistant,
    brand: option.property.brand,
    property: option.property.id,
    place: place.id,
    checkIn: firstDay,
    checkOut: lastDay,
    guests,
    amount: option.quote.total,
    currency: place.currency,
    retrievedAt: option.quote.retrievedAt,
    validUntil: option.validUntil,
    details: detailsOf(option, shown[position]),
  }));
}

/** Without empty members, because the ledger stores them for years. */
function detailsOf({ quote, property, guarantee }: ComparedOption, shown: Option | undefined): QuoteDetails {
  const { lines, deposit, dueOnSite } = quote;
  const { summary } = shown?.cancellation ?? quote.cancellation ?? property.cancellation;
  const hasLines = lines.length > 0 && shown?.quote.line_items.length !== 0;
  return {
    ...(hasLines && { lines: lines.map(({ label, amount }) => ({ label, amount })) }),
    guarantee,
    ...(deposit && { deposit: { amount: deposit.amount, refundable: deposit.refundable } }),
    ...(dueOnSite !== null && { dueOnSite }),
    ...(summary !== '' && { cancellation: summary }),
  };
}
