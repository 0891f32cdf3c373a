import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../inventory/calendar.ts';
import { createAvailabilityIndex } from '../inventory/memory-availability-index.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { searchStep } from './step.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const today = parseDay('2027-03-01') ?? 0;
const session: Session = {
  id: 'id',
  assistant: 'local',
  source: null,
  onlyPlace: null,
  apiVersion: '2026-11-01',
  openedAt: now,
  expiresAt: now + 1_800_000,
  revision: 0,
  payload: {},
  result: null,
};

describe('a step that many sessions stand at', () => {
  it('is one object while nothing about it changes, and another as soon as something does', () => {
    const { facts, put } = someInventory();
    put('small', 2);
    const first = searchStep(session, {}, facts);
    assert.equal(searchStep({ ...session, id: 'another', revision: 7 }, {}, facts), first);

    put('large', 6);
    const second = searchStep(session, {}, facts);
    assert.deepEqual(first.allowed.guests, ['1', '2']);
    assert.deepEqual(second.allowed.guests, ['1', '2', '3', '4', '5', '6']);
  });

  it('is not that of a session with other answers or of another entry', () => {
    const { facts, put } = someInventory();
    put('small', 2);
    const open = searchStep(session, {}, facts);
    const chosen = searchStep(session, { destination: 'lisbon-pt' }, facts);
    const storefront = searchStep({ ...session, source: 'acme', onlyPlace: 'lisbon-pt' }, {}, facts);
    const sourced = searchStep({ ...session, source: 'acme' }, {}, facts);
    assert.deepEqual(open.received, {});
    assert.deepEqual(chosen.received, { destination: 'lisbon-pt' });
    assert.deepEqual(storefront.received, { source: 'acme' });
    assert.equal(sourced.next, 'brand_locked');
    assert.deepEqual(
      [open, chosen, storefront, sourced].map(({ order }) => order.length),
      [5, 5, 5, 6],
    );
  });
});

function someInventory() {
  const network = sampleNetwork(['acme']);
  const index = createAvailabilityIndex(network);
  return {
    facts: { index, network, now },
    put(reference: string, maxGuests: number) {
      const calendar = emptyCalendar(today, 60);
      calendar.available.fill(1);
      index.put(sampleProperty({ brand: 'acme', reference, maxGuests }), calendar);
    },
  };
}
