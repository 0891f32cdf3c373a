import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aStayOption } from '../../../test/support/stay-option.ts';
import type { StayOption } from '../../client/client.ts';
import { displayWidth, type TextStyle } from '../terminal.ts';
import { comparisonTable } from './result-text.ts';

const styled = (_: TextStyle, text: string) => text;
const POLICY = 'Full refund up to 14 days before arrival, half of the price up to 7 days before.';

const OPTIONS: readonly StayOption[] = [
  aStayOption({ rank: 1, name: 'Sótão dos Azulejos', brand: 'Casa Lumeira' }),
  aStayOption({
    rank: 2,
    name: '京都の静かな家、庭と茶室のある古い町家、駅から歩いて五分、四条河原町の近く',
    brand: 'The Very Long Name of a Brand of Homes',
    amount: 1234.5,
    cancellation: { summary: POLICY, free_cancellation_until: null, refundable: null },
    rating: { score: 0, scale: 10, review_count: 0 },
  }),
  aStayOption({
    rank: 3,
    name: 'Odd \u001b[2J\u0007 name\nin two lines',
    cancellation: { summary: POLICY, free_cancellation_until: null, refundable: false },
    rating: { score: 0, scale: 5, review_count: null },
  }),
];

describe('the comparison table', () => {
  it('has two lines for each home in eighty columns', () => {
    assert.deepEqual(comparisonTable(OPTIONS, { columns: 80, styled }).split('\n'), [
      '#  Home                                    Total  A night  Sleeps  Rating',
      '1  Sótão dos Azulejos                 EUR 300.00   100.00       4  4.9 of 5',
      '   Casa Lumeira · free cancellation until 3 Apr 2027, 18:00',
      '2  京都の静かな家、庭と茶室のある…  EUR 1,234.50   411.50       4  not rated yet',
      '   The Very Long Name of a Brand of Homes · Full refund up to 14 days before ar…',
      '3  Odd \\u001b[2J\\u0007 name in tw…    EUR 300.00   100.00       4',
      '   Casa Lumeira · not refundable',
    ]);
  });

  it('has one line for each home on a wide terminal', () => {
    const [heading = '', first = '', second = ''] = comparisonTable(OPTIONS, { columns: 140, styled }).split(
      '\n',
    );
    assert.match(heading, /^# {2}Home +Brand +Total +A night +Sleeps +Rating +Cancellation$/);
    assert.match(
      first,
      /^1 {2}Sótão dos Azulejos +Casa Lumeira +EUR 300\.00 +100\.00 +4 +4\.9 of 5 +free until 3 Apr 2027, 18:00$/,
    );
    assert.match(second, / The Very Long Nam… /);
  });

  it('is a list on a narrow one', () => {
    assert.deepEqual(comparisonTable(OPTIONS.slice(0, 1), { columns: 40, styled }).split('\n'), [
      '1 Sótão dos Azulejos',
      '  EUR 300.00 · 100.00 a night',
      '  sleeps 4 · 4.9 of 5',
      '  Casa Lumeira · free cancellation unti…',
    ]);
  });

  it('is never wider than the terminal, and obeys nothing', () => {
    for (let columns = 20; columns <= 200; columns += 1) {
      for (const line of comparisonTable(OPTIONS, { columns, styled }).split('\n')) {
        assert.ok(displayWidth(line) <= columns, `${columns}: ${line}`);
        assert.doesNotMatch(line, /\p{Cc}/u);
      }
    }
  });

  it('stays whole where amounts are long', () => {
    const dear = [aStayOption({ rank: 1, amount: 123_456_789_012, currency: 'VND' })];
    for (const columns of [50, 60, 80, 120]) {
      const text = comparisonTable(dear, { columns, styled });
      assert.match(text, /VND 123,456,789,012/);
      for (const line of text.split('\n')) assert.ok(line.length <= columns);
    }
  });
});
