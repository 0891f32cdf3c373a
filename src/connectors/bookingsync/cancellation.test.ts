import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookingsyncCancellation } from './cancellation.ts';

const policy = {
  resource: 'rental_cancelation_policies',
  id: '5',
  account: null,
  text: 'As we say.',
  preset: '',
  items: [],
} as const;
const step = (days: number, percent: number) =>
  ({ resource: 'rental_cancelation_policy_items', id: String(days), days, percent }) as const;

/** With the steps that it names, unless others are given. */
function read(
  changes: { text?: string; preset?: string; items?: readonly string[] },
  steps: readonly ReturnType<typeof step>[] = [],
  checkIn: string | null = '16:00',
) {
  return bookingsyncCancellation({ ...policy, items: steps.map(({ id }) => id), ...changes }, steps, checkIn);
}

describe('the policy of a rental', () => {
  it('is repeated word for word', () => {
    assert.deepEqual(read({}), { summary: 'As we say.', free_until: null, refundable: null });
  });

  it('without words is free until the day before its first penalty', () => {
    assert.deepEqual(read({ text: '' }, [step(7, 100), step(30, 50)]), {
      summary:
        'From 30 days before check-in, 50 % of the price is kept. From 7 days before check-in, 100 % of the price is kept.',
      free_until: { days_before: 31, time: '23:59' },
      refundable: true,
    });
  });

  it('is not free under words of its own, which may keep a down-payment, unless a step says so', () => {
    // The vendor's own sample.
    const text = 'In case of cancelation the downpayment paid upon booking is non-refundable.';
    const nothing = { summary: text, free_until: null, refundable: null };
    assert.deepEqual(read({ text }, [step(120, 10)]), nothing);
    assert.deepEqual(read({ text }, [step(120, 10), step(60, 0)]), nothing);
    assert.deepEqual(read({ text }, [step(30, 50), step(365, 0)]), {
      summary: text,
      free_until: { days_before: 31, time: '23:59' },
      refundable: true,
    });
  });

  it('promises nothing that its steps do not say', () => {
    for (const steps of [[], [step(400, 100)], [step(30, 0)]]) {
      const { free_until, refundable } = Object(read({ text: '', preset: 'own' }, [...steps, step(400, 5)]));
      assert.deepEqual([free_until, refundable], [null, null]);
    }
  });

  it('promises nothing when a step could not be read', () => {
    const { free_until, refundable } = Object(read({ text: '', items: ['30', '60'] }, [step(30, 50)]));
    assert.deepEqual([free_until, refundable], [null, null]);
  });

  for (const [preset, free, words] of [
    ['flexible', { days_before: 1, time: '16:00' }, /24 hours before check-in/],
    ['moderate', { days_before: 5, time: '16:00' }, /5 days before check-in/],
    ['strict', null, /within 48 hours/],
    ['moderate20200317', { days_before: 5, time: '16:00' }, /half of the stay/],
    ['strict20200317', null, /7 days before check-in/],
  ] as const) {
    it(`is as the vendor documents its preset ${preset}`, () => {
      const { summary, ...structured } = Object(read({ text: ' ', preset }));
      assert.match(summary, words);
      assert.deepEqual(structured, { free_until: free, refundable: true });
      assert.deepEqual(read({ preset }), { summary: 'As we say.', free_until: free, refundable: true });
    });
  }

  it('promises no hour more than midnight when the hour of check-in is not known', () => {
    const { free_until } = Object(read({ preset: 'flexible' }, [], null));
    assert.deepEqual(free_until, { days_before: 1, time: '00:00' });
  });

  it('is missing when there is none, or one that says nothing', () => {
    assert.equal(bookingsyncCancellation(undefined, [], null), undefined);
    assert.equal(read({ text: '', preset: 'constructor' }), undefined);
  });
});
