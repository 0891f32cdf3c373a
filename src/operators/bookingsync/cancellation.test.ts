import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookingsyncCancellation } from './cancellation.ts';

const policy = {
  resource: 'rental_cancelation_policies',
  id: '5',
  text: 'As we say.',
  preset: '',
  items: [],
} as const;
const step = (days: number, percent: number) =>
  ({ resource: 'rental_cancelation_policy_items', id: String(days), days, percent }) as const;

describe('the policy of a rental', () => {
  it('is repeated word for word, with the last day on which cancelling is free', () => {
    assert.deepEqual(bookingsyncCancellation(policy, [step(7, 100), step(30, 50)]), {
      summary: 'As we say.',
      free_until: { days_before: 31, time: '23:59' },
      refundable: true,
    });
  });

  it('promises nothing that its steps do not say', () => {
    for (const steps of [[], [step(400, 100)], [step(30, 0)]]) {
      assert.deepEqual(bookingsyncCancellation(policy, steps), {
        summary: 'As we say.',
        free_until: null,
        refundable: null,
      });
    }
  });

  it('is told by its preset or its steps when it has no text', () => {
    const summaryOf = (preset: string, ...steps: ReturnType<typeof step>[]) =>
      Reflect.get(Object(bookingsyncCancellation({ ...policy, text: ' ', preset }, steps)), 'summary');
    assert.match(summaryOf('flexible'), /24 hours before check-in/);
    assert.equal(summaryOf('', step(120, 10)), 'From 120 days before check-in, 10 % of the price is kept.');
  });

  it('is missing when there is none, or one that says nothing', () => {
    assert.equal(bookingsyncCancellation(undefined, []), undefined);
    assert.equal(bookingsyncCancellation({ ...policy, text: '', preset: 'constructor' }, []), undefined);
  });
});
