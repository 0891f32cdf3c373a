import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaledCases } from '../../test/support/property-cases.ts';
import { randomRefusals } from '../../test/support/random-refusals.ts';
import { applyChange } from '../../test/support/random-world.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { createWorldIndex } from '../../test/support/world-index.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import { isPayloadField, type Payload } from '../contract/payload-fields.ts';
import type { ReasonCode, RefusalReason } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { firstDayOf, formatDay, formatMonth, parseDay, parseMonth } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';
import { decideStep } from './decide-step.ts';
import type { Decision } from './decision.ts';
import { criteriaOf, type SearchFacts } from './payload.ts';
import type { FieldFault } from './refusal.ts';
import { currentStep, stepWithValuesOf } from './step.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** What the answer to a refused request offers and suggests. */
type Shown = {
  /** Each with the answers that it would be joined to. */
  readonly arrivals: readonly (readonly [day: string, with_: Payload])[];
  readonly months: readonly string[];
  /** Nights after the arrival that they are for. */
  readonly nights: readonly number[];
  readonly parties: readonly number[];
  readonly departures: readonly string[];
};

test('a limit that a refusal states contradicts nothing that the same answer offers or suggests', () => {
  const stated = new Map<ReasonCode, { withFact: number; without: number }>();
  fc.assert(
    fc.property(randomRefusals, ({ network, changes, questions, now }) => {
      const index = createWorldIndex(network);
      for (const change of changes) applyChange(change, index);
      const facts: SearchFacts = { index, network, unready: [], now };
      let session: Session = { ...sampleSession('id'), source: null, onlyPlace: null };
      if (!index.hasMatch(criteriaOf(session, {}), now)) return;
      for (const criteria of questions) {
        const decision = decideStep(session, suppliedBy(criteria), facts);
        for (const fault of faultsIn(decision)) {
          if (fault.reason === null) continue;
          count(fault.reason);
          checkFact(fault, shownBy(decision, facts), decision.session.payload, facts);
        }
        session = decision.session;
      }
    }),
    { numRuns: scaledCases(300) },
  );
  for (const code of ['minimum_stay', 'maximum_stay', 'lead_time'] as const) {
    const { withFact = 0, without = 0 } = stated.get(code) ?? {};
    assert.ok(withFact > 0 && without > 0, `${code}: ${withFact} with its fact, ${without} without`);
  }

  function count({ code, nights, days }: RefusalReason): void {
    const { withFact, without } = stated.get(code) ?? { withFact: 0, without: 0 };
    const hasFact = nights !== undefined || days !== undefined;
    stated.set(code, { withFact: withFact + Number(hasFact), without: without + Number(!hasFact) });
  }
});

function suppliedBy({ place, checkInMonth, checkIn, checkOut, guests }: StayCriteria): SuppliedValue[] {
  const values = {
    destination: place,
    check_in_month: checkInMonth === null ? null : formatMonth(checkInMonth),
    check_in_day: checkIn === null ? null : formatDay(checkIn),
    check_out: checkOut === null ? null : formatDay(checkOut),
    guests,
  };
  return Object.entries(values).flatMap(([field, raw]) => (raw === null ? [] : [{ field, raw }]));
}

function faultsIn(decision: Decision): readonly FieldFault[] {
  return decision.kind === 'refused' || decision.kind === 'quote' ? (decision.refusal?.faults ?? []) : [];
}

function shownBy(decision: Decision, facts: SearchFacts): Shown {
  const { session } = decision;
  const faults = faultsIn(decision);
  const field = faults[0]?.field ?? '';
  const { allowed } = isPayloadField(field)
    ? stepWithValuesOf(field, session, facts)
    : currentStep(session, facts);
  const suggested = (name: string) => faults.find((one) => one.field === name)?.suggestions ?? [];
  const { check_in_day: standing } = session.payload;
  const corrections = 'refusal' in decision ? (decision.refusal?.corrections ?? []) : [];
  const corrected = Object.fromEntries(corrections.map((one) => [one.field, one.value]));
  const nightsFrom = (arrival: string | undefined, departures: readonly string[]) =>
    departures.flatMap((day) => (arrival === undefined ? [] : [dayOf(day) - dayOf(arrival)]));
  return {
    arrivals: [
      ...(allowed.check_in_day ?? []).map((day) => [day, session.payload] as const),
      ...suggested('check_in_day').map((day) => [day, { ...session.payload, ...corrected }] as const),
    ],
    months: [...(allowed.check_in_month ?? []), ...suggested('check_in_month')],
    nights: [
      ...nightsFrom(standing, allowed.check_out ?? []),
      ...nightsFrom(corrected.check_in_day ?? standing, suggested('check_out')),
    ],
    parties: [...(allowed.guests ?? []), ...suggested('guests')].map(Number),
    departures: [...(allowed.check_out ?? []), ...suggested('check_out')],
  };
}

function checkFact({ field, reason }: FieldFault, shown: Shown, payload: Payload, facts: SearchFacts): void {
  if (reason === null) return;
  const about = JSON.stringify({ field, reason, shown, payload });
  const { code, nights, days, largest, last_day } = reason;
  if (field === 'check_out') {
    assert.notEqual(code, 'lead_time', `the arrival was taken: ${about}`);
    if (code === 'minimum_stay' && nights !== undefined) {
      for (const offered of shown.nights) assert.ok(offered >= nights, about);
    }
    if (code === 'maximum_stay' && nights !== undefined) {
      for (const offered of shown.nights) assert.ok(offered <= nights, about);
    }
  }
  if (days !== undefined) {
    for (const [day, answers] of shown.arrivals) {
      for (const today of todaysWhere(day, answers, facts)) assert.ok(dayOf(day) >= today + days, about);
    }
    const latest = Math.max(...todaysOf(payload.destination, facts));
    for (const month of shown.months) {
      const after = firstDayOf((parseMonth(month) ?? 0) + 1);
      assert.ok(after > latest + days, about);
    }
  }
  if (largest !== undefined) for (const party of shown.parties) assert.ok(party <= largest, about);
  if (last_day !== undefined) for (const day of shown.departures) assert.ok(day <= last_day, about);
}

/** What day it is where the arrival is on offer. */
function todaysWhere(day: string, answers: Payload, facts: SearchFacts): readonly number[] {
  const { network, index, now } = facts;
  return [...network.places.values()].flatMap(({ id, kind, timeZone }) => {
    const { guests, destination } = answers;
    const isWithin = destination === undefined || destination === 'world' || destination === id;
    const criteria = criteriaOf(
      { ...sampleSession('id'), source: null, onlyPlace: null },
      { destination: id, check_in_day: day, ...(guests === undefined ? {} : { guests }) },
    );
    return kind === 'city' && isWithin && index.hasMatch(criteria, now) ? [todayIn(timeZone, now)] : [];
  });
}

function todaysOf(destination: string | undefined, { network, now }: SearchFacts): readonly number[] {
  return [...network.places.values()]
    .filter(
      ({ id, kind }) => kind === 'city' && (destination === undefined || [id, 'world'].includes(destination)),
    )
    .map(({ timeZone }) => todayIn(timeZone, now));
}

function dayOf(text: string): number {
  return parseDay(text) ?? Number.NaN;
}
