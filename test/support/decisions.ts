import assert from 'node:assert/strict';
import type { Payload, PayloadField } from '../../src/contract/payload-fields.ts';
import { accept } from '../../src/search/accept.ts';
import { correct } from '../../src/search/advise.ts';
import { decideStep } from '../../src/search/decide-step.ts';
import type { Decision } from '../../src/search/decision.ts';
import { lostFields, type SearchFacts } from '../../src/search/payload.ts';
import type { Refusal } from '../../src/search/refusal.ts';
import type { SuppliedValue } from '../../src/search/supplied-values.ts';
import type { Session } from '../../src/sessions/session.ts';
import { nightOf, searchStage, stagedSession, suppliedAs, TODAY } from './search-stage.ts';

/** The house in Porto and nothing else. */
export const PORTO: Payload = {
  brand_locked: true,
  destination: 'porto-pt',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-08',
  guests: '2',
};
/** All three homes. */
export const ANYWHERE: Payload = { ...PORTO, brand_locked: false, destination: 'portugal' };
export const NOTHING_CLEARED = { fields: [], amenities: [] };
export const OLD_RESULT = { answersPayload: false, amenityOffers: [] };

export const session = stagedSession();
export const asked = (payload: Payload, changes: Partial<Session> = {}) =>
  stagedSession({ payload, ...changes });
export const answered = (payload: Payload, changes: Partial<Session> = {}) =>
  asked(payload, {
    result: { answersPayload: true, amenityOffers: [{ value: 'pool', match_count: 2, of: 3 }] },
    ...changes,
  });

export function decide(
  state: Session,
  values: Record<string, unknown>,
  facts: SearchFacts = searchStage().facts,
) {
  return decideStep(state, suppliedAs(values), facts);
}

/** What becomes of the values of one request, and the corrections of those that are refused. */
export function takeValues(
  from: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts = searchStage().facts,
  misnamed: readonly PayloadField[] = [],
) {
  const taken = accept(from, supplied, facts, misnamed);
  const { faults: refusals, payload: corrected, ...others } = correct(taken, supplied);
  return { ...taken, ...others, refusals, corrected, cleared: lostFields(from.payload, taken.payload) };
}

export function refusalOf(decision: Decision) {
  assert.ok(decision.kind === 'refused', decision.kind);
  return decision.refusal;
}

/** The refused part of a request whose other values completed the search. */
export function refusalBesideQuote(decision: Decision) {
  assert.ok(decision.kind === 'quote' && decision.refusal, decision.kind);
  return decision.refusal;
}

export function firstFault(decision: Decision) {
  return refusalOf(decision).faults[0];
}

export function namesIn({ faults }: Refusal) {
  return faults.map(({ field }) => field);
}

/** The house in Porto is booked from the fifth on. */
export function afterTheHouseIsBooked() {
  const stage = searchStage();
  const first = nightOf('2027-03-05');
  const nights = Array.from({ length: 100 - first }, (_, night) => TODAY + first + night);
  stage.index.withdraw(
    'acme:house',
    nights.map((night) => ({ from: night, to: night + 1 })),
  );
  return stage;
}
