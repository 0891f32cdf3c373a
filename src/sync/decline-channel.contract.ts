import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createTurnCounter } from '../../test/support/event-loop-turns.ts';
import type { DeclineChannel, DeclinedStay } from './decline-channel.ts';

const BRANDS = ['azul', 'sol'];

export const refused = (property: string): DeclinedStay => ({
  property,
  stay: { checkIn: 20_000, checkOut: 20_005, guests: 2 },
  reason: 'booked',
});

/** Records the properties that a node receives, in order. */
export function listen(t: TestContext, channel: DeclineChannel, brands: readonly string[] = BRANDS) {
  const received: { readonly property: string; readonly ageMs: number }[] = [];
  let notify = () => {};
  const { caughtUp, stop } = channel.subscribe(brands, ({ property }, ageMs) => {
    received.push({ property, ageMs });
    notify();
  });
  t.after(stop);
  return {
    caughtUp,
    async receives(count: number) {
      while (received.length < count) {
        const next = Promise.withResolvers<void>();
        notify = next.resolve;
        await next.promise;
      }
      return received.map(({ property }) => property);
    },
    received: () => received.map(({ property }) => property),
    ages: () => received.map(({ ageMs }) => ageMs),
  };
}

/** Every implementation of `DeclineChannel` passes these cases. */
export function declineChannelContract({
  ofNodes,
}: {
  /** Nodes of a new cluster; `published` resolves once everything they have published was carried out. */
  readonly ofNodes: (test: TestContext) => Promise<{
    readonly one: DeclineChannel;
    readonly other: DeclineChannel;
    readonly published: () => Promise<unknown>;
  }>;
}): void {
  it('declines reach the other nodes and not the one that publishes, also those from before they subscribed', async (t) => {
    const { one, other } = await ofNodes(t);
    one.publish(refused('azul:1'));
    const atOther = listen(t, other);
    assert.deepEqual(await atOther.receives(1), ['azul:1']);
    const atOne = listen(t, one);
    other.publish(refused('azul:2'));
    one.publish(refused('azul:3'));
    assert.deepEqual(await atOne.receives(1), ['azul:2']);
    assert.deepEqual(await atOther.receives(2), ['azul:1', 'azul:3']);
    assert.ok(atOther.ages().every((age) => age >= 0 && age < 600_000));
  });

  it('a node receives the brands that it subscribed to, in whatever order they are published', async (t) => {
    const { one, other } = await ofNodes(t);
    const atOther = listen(t, other, ['azul', 'mar', 'never-refuses']);
    for (const property of ['sol:1', 'mar:1', 'azul:1', 'mar:2']) one.publish(refused(property));
    assert.deepEqual((await atOther.receives(3)).toSorted(), ['azul:1', 'mar:1', 'mar:2']);
  });

  it('however much one brand refuses, what another one refused is not lost', async (t) => {
    const { one, other, published } = await ofNodes(t);
    one.publish(refused('azul:1'));
    for (let count = 1; count <= 14_000; count += 1) {
      one.publish(refused(`sol:${count}`));
      if (count % 1000 === 0) await published();
    }
    const atOther = listen(t, other);
    await atOther.caughtUp;
    const received = atOther.received();
    assert.ok(received.includes('azul:1'));
    assert.ok(received.includes('sol:14000'), 'of its own, the latest are kept');
    assert.ok(received.length < 5000, `${received.length} are kept`);
  });

  it('has caught up when everything published before was taken, a little in each turn of the event loop', async (t) => {
    const { one, other, published } = await ofNodes(t);
    const brands = Array.from({ length: 30 }, (_, at) => `brand-${at}`);
    const homes = brands.flatMap((brand) => Array.from({ length: 150 }, (_, at) => `${brand}:${at}`));
    for (const [at, home] of homes.entries()) {
      one.publish(refused(home));
      if (at % 1000 === 0) await published();
    }
    await published();
    const turns = createTurnCounter();
    const received: string[] = [];
    const most = await turns.mostDuring(async () => {
      const { caughtUp, stop } = other.subscribe(brands, ({ property }) => {
        received.push(property);
        turns.handled(property);
      });
      t.after(stop);
      await caughtUp;
    });
    assert.deepEqual(received.toSorted(), homes.toSorted());
    assert.ok(most <= 30, `${most} in one turn`);
  });

  it('has caught up immediately where nothing was published, or for no brand', async (t) => {
    const { other } = await ofNodes(t);
    for (const brands of [BRANDS, []]) await listen(t, other, brands).caughtUp;
  });
}
