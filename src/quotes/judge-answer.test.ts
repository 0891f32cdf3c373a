import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import type { OperatorQuote, QuoteOutcome } from './booking-system.ts';
import {
  breakdownFault,
  failureOfCall,
  isMostlyPaidElsewhere,
  judgeAnswer,
  paidBesides,
} from './judge-answer.ts';

const NOW = 1_800_000_000_000;

function judgeOne(quote: Partial<OperatorQuote>) {
  const full = { currency: 'EUR', total: 10_000, lines: [], heldUntil: null, ...quote };
  const outcomes: QuoteOutcome[] = [{ kind: 'quoted', reference: 'r', quote: full }];
  return judgeAnswer({ references: ['r'], outcomes, currency: 'EUR', answeredAt: NOW }).get('r');
}

function judge(references: readonly string[], outcomes: readonly QuoteOutcome[]) {
  return judgeAnswer({ references, outcomes, currency: 'EUR', answeredAt: NOW });
}

test('a sound quote is kept, with its lines when they add up', () => {
  const lines = [
    { label: 'Nights', amount: 9000 },
    { label: 'Cleaning', amount: 1000 },
  ];
  assert.deepEqual(judgeOne({ lines }), {
    kind: 'quoted',
    total: 10_000,
    lines,
    linesAvailable: true,
    heldUntil: null,
    retrievedAt: NOW,
    deposit: null,
    dueOnSite: null,
  });
  assert.deepEqual(judgeOne({ lines: lines.slice(1) }), {
    kind: 'quoted',
    total: 10_000,
    lines: [],
    linesAvailable: false,
    linesFault: 'does_not_add_up',
    heldUntil: null,
    retrievedAt: NOW,
    deposit: null,
    dueOnSite: null,
  });
});

test('a deposit of more than a hundred totals is garbled, because it cannot be true and could spell a number', () => {
  const refundable = true;
  const deposit = { amount: 1_000_000, refundable };
  const verdict = judgeOne({ deposit });
  assert.deepEqual(verdict?.kind === 'quoted' && verdict.deposit, deposit);
  for (const amount of [1_000_001, 35_191_234_567_800, Number.NaN, -1]) {
    const judged = judgeOne({ deposit: { amount, refundable } });
    assert.deepEqual(judged, { kind: 'failed', failure: 'garbled' }, String(amount));
  }
});

test('a total that is no amount of money is garbled', () => {
  for (const total of [Number.NaN, -1, 0, 0.5, 2 ** 53, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(judgeOne({ total }), { kind: 'failed', failure: 'garbled' }, String(total));
  }
});

test('a hold of a minute is long enough, a millisecond less is not', () => {
  assert.equal(judgeOne({ heldUntil: NOW + 60_000 })?.kind, 'quoted');
  assert.deepEqual(judgeOne({ heldUntil: NOW + 59_999 }), { kind: 'failed', failure: 'hold_too_short' });
  assert.deepEqual(judgeOne({ heldUntil: Number.NaN }), { kind: 'failed', failure: 'garbled' });
});

test('a call failed when every property failed, unless a price was only not to be shown', () => {
  const failed = (reference: string): QuoteOutcome => ({
    kind: 'failed',
    reference,
    failure: 'server_error',
  });
  const inDollars: QuoteOutcome = {
    kind: 'quoted',
    reference: 'b',
    quote: { currency: 'USD', total: 1, lines: [], heldUntil: null },
  };
  assert.equal(failureOfCall(judge(['a', 'b'], [failed('a'), failed('b')])), 'server_error');
  assert.equal(failureOfCall(judge(['a', 'b'], [])), 'garbled');
  const rejected: QuoteOutcome = { kind: 'failed', reference: 'a', failure: 'stay_rejected' };
  assert.equal(
    failureOfCall(judge(['a', 'b'], [rejected, failed('b')])),
    'server_error',
    'whatever comes first',
  );
  assert.equal(failureOfCall(judge(['a'], [rejected])), 'stay_rejected');
  assert.equal(failureOfCall(judge(['a', 'b'], [failed('a'), refusedAs('b')])), null);
  assert.equal(failureOfCall(judge(['a', 'b'], [failed('a'), inDollars])), null);
});

test('whatever is answered, each reference gets exactly one verdict', () => {
  const reference = fc.constantFrom('a', 'b', 'c', 'd');
  const outcome = fc.oneof(
    fc.tuple(reference, fc.double()).map(([name, total]) => quotedAt(name, total)),
    reference.map((name) => refusedAs(name)),
  );
  fc.assert(
    fc.property(fc.uniqueArray(reference, { minLength: 1 }), fc.array(outcome), (references, outcomes) => {
      const verdicts = judge(references, outcomes);
      assert.deepEqual([...verdicts.keys()], references);
      for (const verdict of verdicts.values()) {
        if (verdict.kind === 'quoted') assert.ok(Number.isSafeInteger(verdict.total) && verdict.total > 0);
      }
    }),
  );
});

const line = (amount: number) => ({ label: 'Nights', amount });

test('lines are kept exactly when they add up and none is out of proportion', () => {
  const amounts = fc.array(fc.integer({ min: -1_000, max: 10_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: -2, max: 2 }), (parts, error) => {
      const lines = parts.map(line);
      const total = parts.reduce((sum, part) => sum + part, 0) + error;
      const areInProportion = parts.every((part) => Math.abs(part) <= 20 * total);
      const fault = error === 0 ? (areInProportion ? undefined : 'out_of_proportion') : 'does_not_add_up';
      assert.equal(breakdownFault(lines, total), fault);
    }),
  );
});

test('a discount of nine tenths is shown, a phone number that another line takes back is not', () => {
  assert.equal(breakdownFault([line(100_000), line(-90_000)], 10_000), undefined);
  const number = [line(35_191_234_567_800), line(-35_191_234_537_200)];
  assert.equal(breakdownFault(number, 30_600), 'out_of_proportion');
  assert.equal(breakdownFault([line(612_000), line(-581_400)], 30_600), undefined);
  assert.equal(breakdownFault([line(612_001), line(-581_401)], 30_600), 'out_of_proportion');
});

const price = { total: 10_000, dueOnSite: null, deposit: null };

test('what is due on site is paid besides the total, and a deposit that is given back is not', () => {
  assert.equal(paidBesides(price), 0);
  assert.equal(paidBesides({ ...price, dueOnSite: 700 }), 700);
  assert.equal(paidBesides({ ...price, deposit: { amount: 90_000, refundable: true } }), 0);
});

test('a deposit that is kept is a part of the total, up to the total', () => {
  assert.equal(paidBesides({ ...price, deposit: { amount: 3_000, refundable: false } }), 0);
  assert.equal(
    paidBesides({ ...price, deposit: { amount: 12_000, refundable: false }, dueOnSite: 5 }),
    2_005,
  );
});

test('a total that leaves more than half as much again to be paid elsewhere is no price', () => {
  assert.equal(isMostlyPaidElsewhere({ ...price, dueOnSite: 5_000 }), false);
  assert.equal(isMostlyPaidElsewhere({ ...price, dueOnSite: 5_001 }), true);
  assert.equal(isMostlyPaidElsewhere({ ...price, deposit: { amount: 99_000, refundable: false } }), true);
});
