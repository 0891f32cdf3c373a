import type { Clock } from '../clock.ts';
import { answerWith } from '../contract/exchange.ts';
import type { Option } from '../contract/option.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { IssuedQuote, QuoteDetails } from '../sessions/quote-ledger.ts';
import { callerPath } from '../sessions/rate-windows.ts';
import { type Session, withNextRevision } from '../sessions/session.ts';
import { withoutToken, withToken } from '../sessions/session-token.ts';
import { formatDay } from '../stay/day.ts';
import { compactResult } from './answers/compact-result.ts';
import type { Links } from './answers/links.ts';
import { resultAnswer } from './answers/result-answer.ts';
import type { ComparedOption, Comparison } from './comparison.ts';
import type { CompleteSearch } from './complete-search.ts';
import type { Decision } from './decision.ts';
import type { SearchFacts } from './payload.ts';
import { refuseStay } from './refuse-stay.ts';
import type { SearchEnd } from './search-observer.ts';
import { type StepAnswers, sideEffectsOf } from './step-answers.ts';
import { SESSION_EXPIRED, type StepEnd, type StepRequest } from './step-request.ts';

type CompleteDecision = Extract<Decision, { kind: 'quote' }>;

/**
 * Asks the operators for the prices of a complete search. The caller holds the session's claim, so that they are asked on one node at a
 * time.
 */
export type QuoteStep = (decision: CompleteDecision, request: StepRequest) => Promise<StepEnd>;

export function createQuoteStep({
  completeSearch,
  links,
  stepAnswers,
  facts,
  clock,
}: {
  readonly completeSearch: CompleteSearch;
  readonly links: Links;
  readonly stepAnswers: StepAnswers;
  readonly facts: () => SearchFacts;
  readonly clock: Clock;
}): QuoteStep {
  return async (decision, request) => {
    const { session, caller, client, supplied } = request;
    const { criteria, refusal } = decision;
    const startedAt = clock.elapsed();
    const completed = await completeSearch(criteria, session.expiresAt, {
      caller: callerPath(caller, session.id),
      departure: client.departure(),
      hear: client.hear,
    });
    // The session may have expired while the operators answered, and the prices with it.
    if (session.expiresAt <= clock.now()) return { outcome: SESSION_EXPIRED };
    const search: SearchEnd = {
      criteria,
      milliseconds: clock.elapsed() - startedAt,
      outcome: completed.kind === 'no_operator_answered' ? { kind: 'operators_silent' } : completed,
    };
    const known = facts();
    const sideEffects = sideEffectsOf(request, decision);
    switch (completed.kind) {
      case 'too_many_searches':
        return {
          outcome: completed,
          carriedOut: { before: session, after: session, supplied, refusal: null, search },
        };
      case 'just_refused':
        return stepAnswers.end(refuseStay(decision, supplied, completed, known), request, known, search);
      case 'no_operator_answered': {
        const { retryAfterSeconds, silent } = completed;
        const isKnown = decision.session === session && session.operatorsSilent;
        const operatorsAskableAt = clock.now() + retryAfterSeconds * 1000;
        const after = isKnown ? session : { ...decision.session, operatorsSilent: true, operatorsAskableAt };
        const answer = stepAnswers.untilOperatorsAnswer(
          isKnown ? request : { ...request, session: withNextRevision(after) },
          known,
          { sideEffects, retryAfterSeconds, silent },
        );
        return {
          outcome: { kind: 'answered', answer },
          // Without the key, so that a retry under it can succeed.
          change: isKnown ? undefined : { session: after, isNewState: true, storesKey: false },
          carriedOut: { before: session, after, supplied, refusal, search },
        };
      }
      case 'compared': {
        const { comparison } = completed;
        const after = withResult(decision.session, session, comparison);
        const { token, view } = request;
        const tools = { links, token, network: known.network, sideEffects };
        const { body, text } = resultAnswer(comparison, withNextRevision(after), tools);
        const result = withoutToken(text, token);
        const quotes = issuedQuotes(comparison, after, body);
        // Encoding 34 KB of text is expensive, so the answer reuses the bytes for the store.
        const shown =
          view === 'compact' ? compactResult(body) : { text: withToken(result, token), read: () => body };
        return {
          outcome: { kind: 'answered', answer: answerWith(shown) },
          change: { session: after, isNewState: true, storesKey: true, result, quotes },
          carriedOut: { before: session, after, supplied, refusal, search },
        };
      }
    }
  };
}

function withResult(session: Session, { results = 0 }: Session, comparison: Comparison): Session {
  const { options, amenityOffers, unsearchable, paused, coverage } = comparison;
  const isPartial = unsearchable.length > 0 || paused.length > 0 || coverage.some(({ failed }) => failed > 0);
  return {
    ...session,
    result: { answersPayload: true, amenityOffers, isPartial },
    results: results + 1,
    ...(options.length > 0 && { hasHadPrices: true }),
    operatorsSilent: false,
  };
}

/** The ledger entries for a new result, with the terms that its text shows. */
function issuedQuotes(
  { criteria, options, place }: Comparison,
  session: Session,
  { results }: ResultBody,
): IssuedQuote[] {
  const { checkIn, checkOut, guests, ...others } = criteria;
  // Not part of the quote. A new criterion does not compile until this code decides whether the ledger stores it.
  const { brand: _brand, place: _place, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
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
    details: detailsOf(option, results[position]),
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
