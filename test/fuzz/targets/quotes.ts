import assert from 'node:assert/strict';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { ASKED, quotesFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_ANSWER = {
  quotes: [
    {
      property: 'a',
      status: 'quoted',
      currency: 'EUR',
      total: '412.50',
      lines: [
        { label: '3 nights', amount: '380.00' },
        { label: 'Cleaning', amount: '40.00' },
        { label: 'Discount', amount: '-7.50' },
      ],
      held_until: '2027-03-01T12:30:00Z',
      deposit: { amount: '200.00', refundable: true },
      due_on_site: '12.00',
    },
    { property: 'b', status: 'unavailable', reason: 'booked' },
    { property: 'c', status: 'quoted', currency: 'EUR', total: '99.00' },
  ],
};

/** Answers of operators to a question for prices. */
export const quotes: FuzzTarget = {
  name: 'quotes',
  weight: 12,
  maxCpuMs: 25,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const answer = spelledJson(mutatedJson(VALID_ANSWER, random), random);
  const outcomes = timed(() => quotesFrom(answer), answer.length);
  if (!outcomes) return;
  assert.deepEqual(outcomes.map(({ reference }) => reference).sort(), ASKED);
  for (const outcome of outcomes) {
    if (outcome.kind !== 'quoted') continue;
    const { total, lines, heldUntil, deposit, dueOnSite } = outcome.quote;
    assert.ok(Number.isSafeInteger(total) && total > 0);
    for (const { label, amount } of lines) {
      assert.ok(label.length > 0 && [...label].length <= 120);
      assert.ok(Number.isSafeInteger(amount));
    }
    if (heldUntil !== null) assert.ok(!Number.isNaN(new Date(heldUntil).getTime()));
    if (deposit) assert.ok(Number.isSafeInteger(deposit.amount) && deposit.amount >= 0);
    if (dueOnSite) assert.ok(Number.isSafeInteger(dueOnSite) && dueOnSite >= 0);
  }
}
