import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { homes, startNeighbourhood } from '../support/neighbourhood.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

const HOMES = 80;
type Option = { readonly brand: string; readonly quote: { readonly amount: number } };

const charging =
  (total: string): ScriptedOperator['quote'] =>
  (reference, { currency }) => ({ property: reference, status: 'quoted', currency, total });

describe('one operator cannot own the comparison', () => {
  for (const [what, nightly] of [
    ['publishes no prices', null],
    ['publishes prices of a cent', '0.01'],
  ] as const) {
    it(`when it ${what} and charges nine times as much`, async (t) => {
      const here = await startNeighbourhood({
        honest: homes('honest', HOMES),
        hostile: homes('hostile', HOMES, () => ({}), nightly),
      });
      t.after(() => here.close());
      here.honest.quote = charging('150.00');
      here.hostile.quote = charging('1350.00');
      const { body } = await here.modest.search();
      const options: Option[] = body.results;
      const honest = options.filter(({ brand }) => brand === 'Brand honest');
      assert.equal(options[0]?.brand, 'Brand honest', 'rank 1 is the cheapest by its real total');
      assert.ok(
        honest.length >= options.length / 2,
        `${honest.length} of ${options.length} options are honest`,
      );
      const totals = options.map(({ quote }) => quote.amount);
      assert.deepEqual(
        totals,
        totals.toSorted((a, b) => a - b),
      );
    });
  }

  it('a total that cannot be true is left out', async (t) => {
    const here = await startNeighbourhood({ honest: homes('honest', 10), hostile: homes('hostile', 10) });
    t.after(() => here.close());
    here.honest.quote = charging('150.00');
    here.hostile.quote = charging('150.00');
    // Both brands are known by what they really charge.
    for (let round = 0; round < 5; round += 1) await here.modest.search({ guests: String(1 + (round % 3)) });
    here.hostile.quote = charging('0.01');
    const { body } = await here.modest.search();
    assert.ok(
      body.results.every(({ quote }: Option) => quote.amount > 1),
      'no option costs a cent',
    );
    assert.ok(body.results.some(({ brand }: Option) => brand === 'Brand honest'));
  });
});
