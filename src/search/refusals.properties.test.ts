import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { applyChange, randomWorld } from '../../test/support/random-world.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { createWorldIndex } from '../../test/support/world-index.ts';
import {
  type AvailabilityIndex,
  type Matches,
  NO_CANDIDATES,
  type Obstacle,
} from '../availability/availability-index.ts';
import { isComplete } from '../catalogue/stay-criteria.ts';
import type { Payload, PayloadField, SearchField } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay } from '../stay/day.ts';
import { decideStep } from './decide-step.ts';
import type { Decision } from './decision.ts';
import { criteriaOf, type SearchFacts } from './payload.ts';
import type { Correction, FieldFault, Refusal } from './refusal.ts';
import { searchStep } from './step.ts';
import type { SuppliedValue } from './supplied-values.ts';

const FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
] as const;
/** The days of random worlds begin around the first, and the horizon ends around the second. */
const [FIRST_DAY, LAST_DAY] = [20_869, 20_869 + 540];

const someDay = fc.oneof(
  { arbitrary: fc.integer({ min: FIRST_DAY - 5, max: FIRST_DAY + 35 }), weight: 9 },
  { arbitrary: fc.integer({ min: LAST_DAY - 20, max: LAST_DAY + 60 }), weight: 1 },
);
const someDate = fc.oneof(
  { arbitrary: someDay.map(formatDay), weight: 18 },
  { arbitrary: someDay.map((day) => formatDay(day).split('-').reverse().join('.')), weight: 1 },
  { arbitrary: fc.constantFrom('2027-02-30', 'soon', '', 8, null), weight: 1 },
);

/** Values of every field: valid, wrong, far away, and names. Offered ones are chosen by position from the step. */
const WRITTEN: { readonly [Field in SearchField]: fc.Arbitrary<unknown> } = {
  brand_locked: mostly([true, false], ['true', 'FALSE', 'maybe', ['true', 'false']]),
  destination: mostly(
    ['country-1', 'country-2', 'region-1', 'region-2', 'city-1', 'city-2', 'city-3', 'city-4'],
    ['City 1', 'CITY-2', 'country 1', 'citty-1', 'Atlantis', '', 7, ['city-1', 'city-2']],
  ),
  check_in_month: fc.oneof(
    { arbitrary: someDay.map((day) => formatDay(day).slice(0, 7)), weight: 12 },
    { arbitrary: fc.constantFrom('2027-13', 'March 2027', 'spring', 3), weight: 1 },
  ),
  check_in_day: someDate,
  check_out: someDate,
  guests: mostly([1, 2, '3', 4, 5], [6, 0, 2.5, 99, 'two', ['2', '3']]),
  amenities: mostly(
    ['pool', 'sauna', 'wifi'],
    ['POOL', 'poool', 'helipad', [], ['pool', 'wifi'], 7, 'pool,wifi', 'Sauna, helipad', 'helipad, heliport'],
  ),
};

function mostly(usual: readonly unknown[], odd: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...usual), weight: 5 },
    { arbitrary: fc.constantFrom(...odd), weight: 1 },
  );
}

const someRequest = fc
  .uniqueArray(fc.constantFrom(...FIELDS, 'amenities' as const), { minLength: 1, maxLength: 4 })
  .chain((fields) => fc.tuple(...fields.map((field) => written(field, field))));

/** Names that are not of the interface, and the fields that they are likely meant for. */
const MISNAMED: Readonly<Record<string, SearchField>> = {
  brand: 'brand_locked',
  city: 'destination',
  where: 'destination',
  month: 'check_in_month',
  check_in: 'check_in_day',
  checkout: 'check_out',
  adults: 'guests',
  kids: 'guests',
  amenity: 'amenities',
};

const someMisnamedRequest = fc
  .uniqueArray(fc.constantFrom(...FIELDS, 'amenities', ...Object.keys(MISNAMED)), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((names) => fc.tuple(...names.map((name) => written(name, MISNAMED[name] ?? (name as SearchField)))));

function written(name: string, field: SearchField): fc.Arbitrary<SuppliedValue> {
  return WRITTEN[field].map((raw) => ({ field: name, raw }));
}

const someSession = fc
  .constantFrom(
    { source: 'alba', onlyPlace: null },
    { source: 'brisa', onlyPlace: null },
    { source: null, onlyPlace: null },
    { source: 'alba', onlyPlace: 'city-1' },
  )
  .map((facts): Session => ({ ...sampleSession('id'), ...facts }));

const someSituation = fc.record({
  world: randomWorld({ longestCalendar: 20, maxChanges: 16 }),
  opened: someSession,
  /** Which open field is answered, and with which of its values. */
  choices: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 6, size: 'max' }),
  filters: fc.subarray(['pool', 'wifi']),
  requests: fc.array(someRequest, { minLength: 1, maxLength: 4, size: 'max' }),
  misnamed: fc.array(someMisnamedRequest, { minLength: 1, maxLength: 4, size: 'max' }),
  /** Whether a search that is complete gets a result, which then offers amenities. */
  isQuoted: fc.boolean(),
});

/** A request to a session that has received some answers, with what decides it and the plain twin that checks it. */
type Case = {
  readonly session: Session;
  readonly supplied: readonly SuppliedValue[];
  readonly decision: Decision;
  readonly facts: SearchFacts;
  readonly twin: AvailabilityIndex;
};

function forEachRequest(
  check: (one: Case) => void,
  {
    isBookedMeanwhile = false,
    isMisnamed = false,
    cases = 50,
  }: { readonly isBookedMeanwhile?: boolean; readonly isMisnamed?: boolean; readonly cases?: number } = {},
): void {
  fc.assert(
    fc.property(someSituation, ({ world, opened, choices, filters, isQuoted, ...sent }) => {
      const requests = isMisnamed ? sent.misnamed : sent.requests;
      const [index, twin] = [createWorldIndex(world.network), createPlainAvailabilityIndex(world.network)];
      const before = isBookedMeanwhile ? Math.ceil(world.changes.length / 2) : world.changes.length;
      const write = (changes: typeof world.changes) => {
        for (const change of changes) for (const written of [index, twin]) applyChange(change, written);
      };
      write(world.changes.slice(0, before));
      const now = world.questions[0]?.[1] ?? 0;
      const facts: SearchFacts = { index, network: world.network, unready: [], now };
      if (!index.hasMatch(criteriaOf(opened, {}), now)) return;
      let session = answer(opened, choices, facts);
      if (index.hasMatch(criteriaOf(session, session.payload, filters), now)) {
        session = { ...session, amenities: filters };
      }
      write(world.changes.slice(before));
      for (const supplied of requests) {
        const decision = decideStep(session, supplied, facts);
        check({ session, supplied, decision, facts, twin });
        session =
          isQuoted && decision.kind === 'quote' ? withResult(decision.session, twin, now) : decision.session;
      }
    }),
    { numRuns: scaledCases(cases) },
  );
}

/** A result offers the amenities that some of the matches have. */
function withResult(session: Session, twin: AvailabilityIndex, now: number): Session {
  const { total, amenities } = matchesOf(session, twin, now);
  const amenityOffers = amenities
    .filter(({ properties }) => properties > 0 && properties < total)
    .map(({ amenity, properties }) => ({ value: amenity, match_count: properties, of: total }));
  return { ...session, result: { answersPayload: true, amenityOffers } };
}

function matchesOf(session: Session, twin: AvailabilityIndex, now: number): Omit<Matches, 'candidates'> {
  const criteria = criteriaOf(session, session.payload, session.amenities);
  return isComplete(criteria)
    ? twin.matches(criteria, now, { ...NO_CANDIDATES, without: [] })
    : { total: 0, unpublishedAmenities: 0, amenities: [] };
}

/** What a decision refuses, alone or beside values that completed the search. */
function refusalIn(decision: Decision): Refusal | null {
  return decision.kind === 'refused' || decision.kind === 'quote' ? decision.refusal : null;
}

function faultsIn(decision: Decision): readonly FieldFault[] {
  return refusalIn(decision)?.faults ?? [];
}

/** Each refused field with its suggestions, and the session once the fields before it are corrected. */
function suggestedIn(decision: Decision, facts: SearchFacts) {
  const suggested: { field: string; suggestions: readonly string[]; assumed: Session }[] = [];
  const { faults = [], corrections = [] } = refusalIn(decision) ?? {};
  // Where a value stands that was to be replaced, suggestions for several fields go together only, as the corrections do.
  const { payload } = decision.session;
  const isReplacing = faults.some(({ field }) => field !== null && field !== 'amenities' && field in payload);
  if (faults.length > 1 && isReplacing) return suggested;
  let assumed = decision.session;
  for (const { code, field, suggestions } of faults) {
    const [first = corrections.find((one) => one.field === field)?.value] = suggestions;
    // What such a field was taken to be is told only where it is corrected.
    if (code === 'prerequisite_missing' && first === undefined) break;
    if (field === null || first === undefined) continue;
    suggested.push({ field, suggestions, assumed: field === 'amenities' ? decision.session : assumed });
    if (field !== 'amenities') assumed = accepted(assumed, field, first, facts);
  }
  return suggested;
}

/** Answers open fields with values on offer. */
function answer(
  opened: Session,
  choices: readonly (readonly [number, number])[],
  facts: SearchFacts,
): Session {
  let session = opened;
  for (const [whichField, whichValue] of choices) {
    const { allowed } = searchStep(session, session.payload, facts);
    const offers = Object.entries(allowed);
    const [field, values = []] = offers[whichField % offers.length] ?? ['', []];
    const one = values[whichValue % values.length];
    if (one === undefined) break;
    session = accepted(session, field, typeof one === 'string' ? one : one.value, facts);
  }
  return session;
}

/** The session after a value that has to be accepted. */
function accepted(session: Session, field: string, raw: unknown, facts: SearchFacts): Session {
  const decision = decideStep(session, [{ field, raw }], facts);
  assert.notEqual(decision.kind, 'refused', `${field} ${raw} ${JSON.stringify(session.payload)}`);
  return decision.session;
}

describe('a refusal', () => {
  it('has a reason that holds for every refused field', () => {
    forEachRequest((one) => {
      for (const fault of faultsIn(one.decision)) checkReason(fault, one);
    });
  });

  it('suggests values that are accepted, given what is suggested for the fields before, and lead on to a match', () => {
    forEachRequest(({ decision, facts, twin }) => {
      for (const { field, suggestions, assumed } of suggestedIn(decision, facts)) {
        assert.ok(suggestions.length <= 5);
        assert.equal(new Set(suggestions).size, suggestions.length);
        for (const [position, value] of suggestions.entries()) {
          const { amenities } = assumed;
          const next = accepted(assumed, field, value, facts);
          if (field === 'amenities') assert.deepEqual(next.amenities, [...amenities, value]);
          else assert.equal(String(next.payload[field as PayloadField]), value);
          checkLeadsToMatch(next, position, facts, twin);
        }
      }
    });
  });

  it('leads on with values that are taken all at once', () => {
    forEachRequest(({ decision, facts, twin }) => {
      const { faults, corrections } = refusalIn(decision) ?? { faults: [], corrections: [] };
      if (corrections.length === 0) return;
      assert.equal(corrections[0]?.field, faults[0]?.field, 'the first refused field is among them');
      checkAllTaken(corrections, decision.session, facts, twin);
    });
  });

  it('leads on with the values under the right names, which are taken all at once', () => {
    forEachRequest(
      ({ session, supplied, decision, facts, twin }) => {
        const { faults, corrections, accepted: taken } = refusalIn(decision) ?? NO_REFUSAL;
        if (corrections.length === 0) return;
        checkAllTaken(corrections, decision.session, facts, twin);
        const next = decideStep(decision.session, asSupplied(corrections), facts).session;
        for (const { field, didYouMean } of faults) {
          const meant = (didYouMean ?? field) as PayloadField;
          const isSet = corrections.some(
            (one) => one.field === meant || (meant === 'check_in_month' && one.field === 'check_in_day'),
          );
          const isTaken =
            taken.includes(meant) || (meant === 'check_in_month' && taken.includes('check_in_day'));
          const isOld = next.payload[meant] !== undefined && !isSet && !isTaken;
          assert.ok(!isOld || session.payload[meant] === undefined, `${meant} comes back`);
          const names = supplied.filter((one) => (MISNAMED[one.field] ?? one.field) === meant);
          if (didYouMean !== null && names.length > 1) {
            assert.ok(!isSet || supplied.some((one) => one.field === meant), `${meant} has two values`);
          }
        }
      },
      { isMisnamed: true },
    );
  });

  it('carries on with a missing prerequisite what is taken with it', () => {
    let carrying = 0;
    forEachRequest(
      ({ decision, facts, twin }) => {
        for (const { with: prerequisite, values } of (refusalIn(decision) ?? NO_REFUSAL).carried) {
          carrying += 1;
          assert.equal(decision.session.payload[prerequisite.field as PayloadField], undefined);
          assert.ok(values.some(({ field }) => field === 'destination'));
          checkAllTaken([prerequisite, ...values], decision.session, facts, twin);
        }
      },
      { isMisnamed: true, cases: 250 },
    );
    assert.ok(carrying > 0);
  });

  it('never joins what was taken to a value that the request wanted to replace, nor does what it leads on with', () => {
    forEachRequest(({ session, decision, facts }) => {
      const refusal = refusalIn(decision);
      if (!refusal) return;
      const { accepted: taken, corrections } = refusal;
      const supplied = corrections.map(({ field, value }): SuppliedValue => ({ field, raw: value }));
      const followed = supplied.length > 0 ? decideStep(decision.session, supplied, facts).session : null;
      for (const { field } of refusal.faults) {
        const name = field as PayloadField;
        const isSetByDay = name === 'check_in_month' && taken.includes('check_in_day');
        if (session.payload[name] === undefined || isSetByDay) continue;
        const isChanged = decision.session !== session;
        assert.ok(!isChanged || decision.session.payload[name] === undefined, `${name} stands`);
        // A day brings its month along.
        const setsIt = (corrected: string) =>
          corrected === name || (name === 'check_in_month' && corrected === 'check_in_day');
        const isCorrected = corrections.some((one) => setsIt(one.field));
        assert.ok(!followed || isCorrected || followed.payload[name] === undefined, `${name} comes back`);
      }
    });
  });

  it('loses no answer that was not refused, but the later dates and what fits no more', () => {
    forEachRequest(({ session, decision, facts, twin }) => {
      const refused = refusalIn(decision)?.faults.map(({ field }) => field);
      if (!refused) return;
      const { payload } = decision.session;
      const dates = ['check_in_month', 'check_in_day', 'check_out'];
      for (const field of FIELDS) {
        if (session.payload[field] === undefined || payload[field] !== undefined) continue;
        const isWithDates = dates.slice(0, dates.indexOf(field) + 1).some((date) => refused.includes(date));
        const isLeft = dates.indexOf(field) > 0 && payload.check_in_day === undefined;
        const kept = { ...payload, [field]: session.payload[field] };
        const fits = twin.hasMatch(criteriaOf(session, kept), facts.now);
        assert.ok(refused.includes(field) || isWithDates || isLeft || !fits, `${field} is lost`);
      }
    });
  });

  it('moves no answer that was not taken: it stands, or is cleared and named', () => {
    forEachRequest(({ session, decision }) => {
      if (decision.kind === 'answered') return;
      const { accepted: taken } = refusalIn(decision) ?? NO_REFUSAL;
      if (!refusalIn(decision)) return;
      const { payload } = decision.session;
      for (const field of FIELDS) {
        const isTaken =
          taken.includes(field) || (field === 'check_in_month' && taken.includes('check_in_day'));
        if (isTaken || payload[field] === session.payload[field]) continue;
        assert.equal(payload[field], undefined, field);
        assert.ok(decision.cleared.fields.includes(field), `${field} is cleared without a word`);
      }
    });
  });

  it('names each refused field once, in the order of the fields, and none that was accepted', () => {
    forEachRequest(({ supplied, decision }) => {
      const refusal = refusalIn(decision);
      if (!refusal) return;
      const refused = refusal.faults.map(({ field }) => field);
      const isUnknown = refusal.faults.map(({ code }) => code === 'unknown_field');
      assert.deepEqual(isUnknown, isUnknown.toSorted(), 'names that the session does not ask for come last');
      const known = refused.slice(0, isUnknown.filter((unknown) => !unknown).length);
      // Of several amenities, each can be refused, or accepted beside a refused one.
      const fields = FIELDS.filter((name) => known.includes(name));
      const amenities = known.slice(fields.length);
      assert.deepEqual(known, [...fields, ...amenities]);
      assert.ok(amenities.every((name) => name === 'amenities'));
      const accepted = refusal.accepted.filter((field) => field !== 'amenities');
      for (const field of accepted) assert.ok(!refused.includes(field));
      assert.ok(supplied.length >= accepted.length + refused.length - amenities.length);
    });
  });

  it('leaves the very same session when nothing was accepted, or opens fields that nothing is suggested for', () => {
    let opened = 0;
    forEachRequest(({ session, decision }) => {
      if (refusalIn(decision)?.accepted.length !== 0) return;
      opened += Number(decision.session !== session);
      checkOnlyOpened(session, decision);
    });
    assert.ok(opened > 0);
  });

  it('comes with a result exactly when what was taken changes the search and completes it', () => {
    forEachRequest(({ session, decision }) => {
      if (!refusalIn(decision)) return;
      const { payload, amenities } = decision.session;
      const isChanged = decision.session !== session;
      const isWhole = isComplete(criteriaOf(decision.session, payload, amenities));
      assert.equal(decision.kind, isChanged && isWhole && isAnswered(decision.session) ? 'quote' : 'refused');
    });
  });

  it('takes every other value that is on offer: sent again alone, a refused one is refused again', () => {
    forEachRequest(({ supplied, decision, facts }) => {
      const refusal = refusalIn(decision);
      if (!refusal) return;
      const { payload } = decision.session;
      for (const { field, raw } of supplied) {
        const fault = refusal.faults.find((one) => one.field === field);
        if (!fault || payload[field as PayloadField] !== undefined) continue;
        // Alone, a departure is for the arrival that stands; beside a refused arrival it is not.
        if (fault.code === 'prerequisite_missing' && payload.check_in_day !== undefined) continue;
        // Alone, a day is free to change the month that the same request gave.
        if (field === 'check_in_day' && refusal.accepted.includes('check_in_month')) continue;
        const again = decideStep(decision.session, [{ field, raw }], facts);
        assert.equal(again.kind, 'refused', `${field} ${raw}`);
      }
    });
  });
});

/** Nothing is set to another value: refused fields are asked for again where there is nothing to send instead. */
function checkOnlyOpened(session: Session, decision: Decision): void {
  if (decision.session === session) return;
  const { faults } = refusalIn(decision) ?? NO_REFUSAL;
  const { payload } = decision.session;
  assert.ok(faults.some(({ field }) => session.payload[field as PayloadField] !== undefined));
  for (const field of FIELDS) assert.ok([session.payload[field], undefined].includes(payload[field]), field);
}

const NO_REFUSAL = { faults: [], accepted: [] as readonly SearchField[], corrections: [], carried: [] };

function asSupplied(corrections: readonly Correction[]): readonly SuppliedValue[] {
  return corrections.map(({ field, value }) => ({ field, raw: value }));
}

/** Sent together, none of the values is refused, and they lead on to a match. */
function checkAllTaken(
  corrections: readonly Correction[],
  session: Session,
  facts: SearchFacts,
  twin: AvailabilityIndex,
): void {
  const next = decideStep(session, asSupplied(corrections), facts);
  assert.equal(refusalIn(next), null, JSON.stringify(corrections));
  for (const { field, value } of corrections) {
    if (field !== 'amenities') assert.equal(String(next.session.payload[field]), value);
    else assert.ok(next.session.amenities.includes(value));
  }
  checkLeadsToMatch(next.session, 0, facts, twin);
}

/** Whether every field that the session asks for has its answer. */
function isAnswered({ source, onlyPlace, payload }: Session): boolean {
  return FIELDS.every(
    (field) =>
      payload[field] !== undefined ||
      (field === 'brand_locked' && source === null) ||
      (field === 'destination' && onlyPlace !== null),
  );
}

describe('a request to a search whose answers may be booked meanwhile', () => {
  const isBookedMeanwhile = true;

  it('is refused with values that lead on to a match, and without a change when nothing was accepted', () => {
    forEachRequest(
      ({ session, decision, facts, twin }) => {
        const refusal = refusalIn(decision);
        if (refusal?.accepted.length === 0) checkOnlyOpened(session, decision);
        for (const { field, suggestions, assumed } of suggestedIn(decision, facts)) {
          for (const [position, value] of suggestions.entries()) {
            checkLeadsToMatch(accepted(assumed, field, value, facts), position, facts, twin);
          }
        }
      },
      { isBookedMeanwhile },
    );
  });

  it('leaves answers and filters that have a match when it changes any, and so does reading', () => {
    forEachRequest(
      ({ session, decision, facts, twin }) => {
        const read = decideStep(decision.session, [], facts).session;
        for (const after of decision.session === session ? [read] : [read, decision.session]) {
          const criteria = criteriaOf(after, after.payload, after.amenities);
          const isNothingFree = !twin.hasMatch(criteriaOf(after, {}), facts.now);
          assert.ok(isNothingFree || twin.hasMatch(criteria, facts.now));
        }
      },
      { isBookedMeanwhile },
    );
  });
});

describe('a decision', () => {
  it('always leaves answers and filters that have a match together', () => {
    forEachRequest(({ decision: { session }, facts: { now }, twin }) => {
      assert.ok(twin.hasMatch(criteriaOf(session, session.payload, session.amenities), now));
    });
  });
});

/** Follows the values on offer until nothing is missing. */
function checkLeadsToMatch(
  start: Session,
  choice: number,
  facts: SearchFacts,
  twin: AvailabilityIndex,
): void {
  let session = start;
  for (;;) {
    const { next, allowed } = searchStep(session, session.payload, facts);
    if (next === null) break;
    const values = allowed[next] ?? [];
    const one = values[choice % values.length];
    assert.ok(one !== undefined, `${next} has values`);
    session = accepted(session, next, typeof one === 'string' ? one : one.value, facts);
  }
  const criteria = criteriaOf(session, session.payload, session.amenities);
  assert.ok(isComplete(criteria) && matchesOf(session, twin, facts.now).total > 0);
}

/** The facts of a reason, checked with the plain index. */
function checkReason({ code, field, reason }: FieldFault, one: Case): void {
  const raw = one.supplied.find((value) => value.field === field)?.raw;
  const about = `${JSON.stringify({ field, raw, reason, received: one.decision.session.payload })}`;
  if (code !== 'invalid_value') {
    assert.equal(reason, null, about);
    return;
  }
  assert.ok(reason, about);
  if (field === 'amenities') checkAmenity(raw, reason, one, about);
  else if (isWritten(field, raw, reason)) checkValue(field as PayloadField, raw, reason, one, about);
}

/** Whether the value could be read. If not, that has to be the reason. */
function isWritten(field: string | null, raw: unknown, { code }: RefusalReason): boolean {
  const pattern = {
    brand_locked: /^(?:true|false)$/i,
    destination: /^.+$/,
    check_in_month: /^\d{4}-\d\d$/,
    check_in_day: /^\d{4}-\d\d-\d\d$/,
    check_out: /^\d{4}-\d\d-\d\d$/,
    guests: /^[1-9]\d*$/,
  }[field as PayloadField];
  const isText = typeof raw === 'string' || field === 'brand_locked' || field === 'guests';
  const isDate = field === 'check_in_month' || field === 'check_in_day' || field === 'check_out';
  if (!isText) assert.equal(code, 'wrong_type');
  else if (!pattern.test(String(raw))) assert.equal(code, isDate ? 'not_a_date' : 'wrong_type');
  else if (isDate && Number.isNaN(Date.parse(String(raw)))) assert.equal(code, 'no_such_date');
  else if (isDate && raw === '2027-02-30') assert.equal(code, 'no_such_date');
  else return true;
  return false;
}

function checkValue(
  field: PayloadField,
  raw: unknown,
  reason: RefusalReason,
  one: Case,
  about: string,
): void {
  const { decision, twin, facts } = one;
  const { session } = decision;
  const hasMatch = (payload: Payload) => twin.hasMatch(criteriaOf(session, payload), facts.now);
  const value = offeredForm(field, raw, facts);
  if (value === undefined) {
    assert.deepEqual(reason, { code: 'not_on_network' }, about);
    return;
  }
  const base = judgedBy(field, value, one);
  const tried: Payload = { ...base, [field]: value };
  assert.ok(!hasMatch(tried), about);
  switch (reason.code) {
    case 'party_too_large': {
      const { largest } = reason;
      if (largest === undefined) return;
      assert.ok(largest >= 1 && largest < Number(raw), about);
      assert.ok(hasMatch({ ...base, guests: String(largest) }), about);
      assert.ok(!hasMatch({ ...base, guests: String(largest + 1) }), about);
      return;
    }
    case 'conflicts_with': {
      const { fields = [] } = reason;
      const others = FIELDS.filter((other) => other !== field && tried[other] !== undefined);
      assert.ok(fields.length > 0 && fields.every((other) => others.some((known) => known === other)), about);
      assert.ok(hasMatch(without(tried, fields)), `without them there is a match: ${about}`);
      for (const fewer of subsetsOf(others).filter((subset) => costsLess(subset, fields))) {
        assert.ok(!hasMatch(without(tried, fewer)), `${fewer} is not enough: ${about}`);
      }
      return;
    }
    default:
      if (field === 'brand_locked' || field === 'destination') {
        assert.deepEqual(reason, { code: 'nothing_free' }, about);
        assert.ok(!hasMatch({ [field]: value }), `not even alone: ${about}`);
      } else {
        checkObstacle(field, reason, tried, one, about);
      }
  }
}

/**
 * The reason is what the twin finds in the way. Where that is the party, or the order of the dates, and lifting it is not
 * enough, it is what is in the way of any party, or of the date alone.
 */
function checkObstacle(
  field: PayloadField,
  reason: RefusalReason,
  tried: Payload,
  one: Case,
  about: string,
): void {
  const { decision, twin, facts } = one;
  const obstacle = twin.obstacle(criteriaOf(decision.session, tried), facts.now);
  assert.ok(obstacle, about);
  if (obstacle.code === 'party_too_large') {
    checkObstacle(field, reason, without(tried, ['guests']), one, about);
  } else if (obstacle.code === 'no_nights') {
    const otherDates = FIELDS.filter((other) => /^check_/.test(other) && other !== field);
    checkObstacle(field, reason, without(tried, otherDates), one, about);
  } else {
    const expected = inTermsOfFields(obstacle, field);
    // A fact that does not hold for all that is on offer is left out.
    assert.deepEqual(reason, Object.keys(reason).length === 1 ? { code: expected.code } : expected, about);
  }
}

function inTermsOfFields(obstacle: Obstacle, field: PayloadField): RefusalReason {
  // Homes that can be booked so soon are not free until that departure.
  const isTooSoon = obstacle.code === 'lead_time' && field === 'check_out';
  if (obstacle.code === 'no_properties' || isTooSoon) return { code: 'nothing_free' };
  if (obstacle.code === 'beyond_horizon')
    return { code: obstacle.code, last_day: formatDay(obstacle.lastDay) };
  return obstacle as RefusalReason;
}

function checkAmenity(raw: unknown, reason: RefusalReason, one: Case, about: string): void {
  const { decision, twin, facts } = one;
  const { session } = decision;
  const matches = matchesOf(session, twin, facts.now);
  const havingIt = (key: string) => matches.amenities.find(({ amenity }) => amenity === key)?.properties ?? 0;
  if (reason.code === 'one_amenity_per_request') {
    const having = havingIt(reason.amenity ?? '');
    assert.ok(having > 0 && having < matches.total, `it narrows what the first one left: ${about}`);
    return;
  }
  if (typeof raw !== 'string') {
    const isList = Array.isArray(raw) && raw.every((text) => typeof text === 'string');
    if (!isList) assert.deepEqual(reason, { code: 'wrong_type' }, about);
    return;
  }
  // One of several may have been judged before another was applied.
  if (raw.includes(',')) return;
  const key = raw.toLowerCase();
  const hasMatch = (payload: Payload, filters: readonly string[]) =>
    twin.hasMatch(criteriaOf(session, payload, [...filters, key]), facts.now);
  const { unpublished = 0, ...stated } = reason;
  assert.equal(unpublished, matches.unpublishedAmenities, about);
  if (stated.code === 'not_on_network') {
    assert.equal(havingIt(key), 0, about);
    assert.ok(!hasMatch({}, []), `nothing else is in its way: ${about}`);
    return;
  }
  assert.ok(!hasMatch(session.payload, session.amenities), about);
  assert.equal(stated.code, 'conflicts_with', about);
  const { fields = [] } = stated;
  const received = FIELDS.filter((field) => session.payload[field] !== undefined);
  const others = session.amenities.length > 0 ? [...received, 'amenities' as const] : received;
  const fits = (removed: readonly string[]) =>
    hasMatch(without(session.payload, removed), removed.includes('amenities') ? [] : session.amenities);
  assert.ok(fits(fields), about);
  for (const fewer of subsetsOf(others).filter((subset) => costsLess(subset, fields))) {
    assert.ok(!fits(fewer), `${fewer} is not enough: ${about}`);
  }
}

/** Fewer decisions, of which the dates are one, or as many with fewer answers. */
function costsLess(one: readonly string[], other: readonly string[]): boolean {
  const decisions = (fields: readonly string[]) =>
    new Set(fields.map((field) => (field.startsWith('check_') ? 'dates' : field))).size;
  return (
    decisions(one) - decisions(other) < 0 ||
    (decisions(one) === decisions(other) && one.length < other.length)
  );
}

/** The value in the form in which it is offered; undefined for a place that there is not. */
function offeredForm(
  field: PayloadField,
  raw: unknown,
  { network }: SearchFacts,
): string | boolean | undefined {
  if (field === 'brand_locked') return String(raw).toLowerCase() === 'true';
  if (field !== 'destination') return String(raw);
  const id = String(raw).toLowerCase().replaceAll(' ', '-');
  return network.places.has(id) ? id : undefined;
}

/** The answers that stand beside the value: for a field that is set those before it, otherwise all of them. */
function judgedBy(field: PayloadField, value: string | boolean, { session, decision }: Case): Payload {
  const { payload } = decision.session;
  const taken = refusalIn(decision)?.accepted ?? [];
  // The month was open when it was judged: a day of the same request has set it since.
  const isSetByDay = session.payload.check_in_month === undefined && taken.includes('check_in_day');
  if (field === 'check_in_month' && isSetByDay) {
    return without(payload, ['check_in_month', 'check_in_day', 'check_out']);
  }
  const ownMonth =
    field === 'check_in_day' && !taken.includes('check_in_month') ? String(value).slice(0, 7) : undefined;
  const isOtherMonth = ownMonth !== undefined && ownMonth !== payload.check_in_month;
  const first = isOtherMonth && payload.check_in_month !== undefined ? 'check_in_month' : field;
  const base = payload[first] === undefined ? payload : without(payload, FIELDS.slice(FIELDS.indexOf(first)));
  return isOtherMonth ? { ...base, check_in_month: ownMonth } : base;
}

function without(payload: Payload, fields: readonly string[]): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([field]) => !fields.includes(field)));
}

function subsetsOf<Item>(items: readonly Item[]): readonly Item[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}
