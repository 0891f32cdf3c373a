import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBeds24Offers } from './quote.ts';

function read(data: unknown, offerId: string | null = null) {
  const document = new TextEncoder().encode(
    JSON.stringify({ success: true, type: 'offer', pages: { nextPageExists: false }, data }),
  );
  return [...readBeds24Offers(document, { asked: ['5', '6'], currency: 'EUR', offerId })];
}
const offer = (offerId: number, price: unknown, unitsAvailable: unknown = 1) => ({
  offerId,
  offerName: 'Flexible',
  price,
  unitsAvailable,
});

describe('offers of Beds24', () => {
  it('price a room at the lowest of them', () => {
    assert.deepEqual(read([{ roomId: 5, propertyId: 1, offers: [offer(1, 630), offer(2, '599.90')] }]), [
      { kind: 'priced', reference: '5', total: 599_90, isOneOfSeveral: true },
    ]);
  });

  it('price a room at the one that counts', () => {
    const data = [{ roomId: 5, offers: [offer(1, 630), offer(2, 599)] }];
    assert.deepEqual(read(data, '1'), [
      { kind: 'priced', reference: '5', total: 630_00, isOneOfSeveral: false },
    ]);
    assert.deepEqual(read(data, '3'), [{ kind: 'refused', reference: '5' }]);
  });

  it('say whether the price is that of the only one', () => {
    const isOneOfSeveral = (offers: unknown, offerId?: string) => {
      const [reading] = read([{ roomId: 5, offers }], offerId);
      assert.ok(reading?.kind === 'priced');
      return reading.isOneOfSeveral;
    };
    assert.equal(isOneOfSeveral([offer(1, 630)]), false);
    assert.equal(isOneOfSeveral([offer(1, 630), offer(2, 630)]), true);
    assert.equal(isOneOfSeveral([offer(1, 630), offer(2, 599, 0)]), true, 'one without a unit has terms too');
    assert.equal(isOneOfSeveral([offer(1, 630), offer(2, 599)], '2'), false, 'the entry names it');
  });

  it('are those of the rooms that were asked for, each once', () => {
    const data = [9, 5, 5].map((roomId) => ({ roomId, offers: [offer(1, roomId)] }));
    assert.deepEqual(read(data), [{ kind: 'priced', reference: '5', total: 5_00, isOneOfSeveral: false }]);
  });

  for (const [what, offers, kind] of [
    ['there are none', [], 'refused'],
    ['PHP writes none as null', null, 'refused'],
    ['no unit is left', [offer(1, 630, 0)], 'refused'],
    ['the price is nothing', [offer(1, 0)], 'garbled'],
    ['the price is less than the currency has', [offer(1, 0.004)], 'garbled'],
    ['the price is a word', [offer(1, 'ask us')], 'garbled'],
    ['an offer is no object', [7], 'garbled'],
  ] as const) {
    it(`leave a room ${kind} when ${what}`, () => {
      assert.deepEqual(read([{ roomId: 6, offers }]), [{ kind, reference: '6' }]);
    });
  }

  it('are rounded where they are finer than the currency', () => {
    assert.deepEqual(read([{ roomId: 5, offers: [offer(1, 12.345), offer(2, 12.35)] }]), [
      { kind: 'priced', reference: '5', total: 12_35, isOneOfSeveral: true },
    ]);
  });

  it('count as long as one of them can be understood', () => {
    assert.deepEqual(read([{ roomId: 5, offers: [offer(1, 'ask us'), offer(2, 70, null)] }]), [
      { kind: 'priced', reference: '5', total: 70_00, isOneOfSeveral: true },
    ]);
  });
});
