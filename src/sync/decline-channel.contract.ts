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

/** The properties that a node hears of, one after the other. */
export function listen(t: TestContext, news: DeclineChannel, brands: readonly string[] = BRANDS) {
  const heard: { readonly property: string; readonly ageMs: number }[] = [];
  let tell = () => {};
  const { caughtUp, stop } = news.hear(brands, ({ property }, ageMs) => {
    heard.push({ property, ageMs });
    tell();
  });
  t.after(stop);
  return {
    caughtUp,
    async hears(count: number) {
      while (heard.length < count) {
        const next = Promise.withResolvers<void>();
        tell = next.resolve;
        await next.promise;
      }
      return heard.map(({ property }) => property);
    },
    heard: () => heard.map(({ property }) => property),
    ages: () => heard.map(({ ageMs }) => ageMs),
  };
}

/** What holds for news of refusals, whatever carries them. */
export function declineChannelContract({
  ofNodes,
}: {
  /** Nodes of a new cluster, and what resolves when everything was carried out that they have told. */
  readonly ofNodes: (test: TestContext) => Promise<{
    readonly one: DeclineChannel;
    readonly other: DeclineChannel;
    readonly told: () => Promise<unknown>;
  }>;
}): void {
  it('news reach other nodes and not the one that tells, also what was told before they listened', async (t) => {
    const { one, other } = await ofNodes(t);
    one.tell(refused('azul:1'));
    const atOther = listen(t, other);
    assert.deepEqual(await atOther.hears(1), ['azul:1']);
    const atOne = listen(t, one);
    other.tell(refused('azul:2'));
    one.tell(refused('azul:3'));
    assert.deepEqual(await atOne.hears(1), ['azul:2']);
    assert.deepEqual(await atOther.hears(2), ['azul:1', 'azul:3']);
    assert.ok(atOther.ages().every((age) => age >= 0 && age < 600_000));
  });

  it('a node hears of the brands that it asks for, in whatever order they are told', async (t) => {
    const { one, other } = await ofNodes(t);
    const atOther = listen(t, other, ['azul', 'mar', 'never-refuses']);
    for (const property of ['sol:1', 'mar:1', 'azul:1', 'mar:2']) one.tell(refused(property));
    assert.deepEqual((await atOther.hears(3)).toSorted(), ['azul:1', 'mar:1', 'mar:2']);
  });

  it('however much one brand refuses, what another one refused is not lost', async (t) => {
    const { one, other, told } = await ofNodes(t);
    one.tell(refused('azul:1'));
    for (let count = 1; count <= 14_000; count += 1) {
      one.tell(refused(`sol:${count}`));
      if (count % 1000 === 0) await told();
    }
    const atOther = listen(t, other);
    await atOther.caughtUp;
    const heard = atOther.heard();
    assert.ok(heard.includes('azul:1'));
    assert.ok(heard.includes('sol:14000'), 'of its own, the latest are kept');
    assert.ok(heard.length < 5000, `${heard.length} are kept`);
  });

  it('has caught up when all was taken that had been told, a little in each turn of the event loop', async (t) => {
    const { one, other, told } = await ofNodes(t);
    const brands = Array.from({ length: 30 }, (_, at) => `brand-${at}`);
    const homes = brands.flatMap((brand) => Array.from({ length: 150 }, (_, at) => `${brand}:${at}`));
    for (const [at, home] of homes.entries()) {
      one.tell(refused(home));
      if (at % 1000 === 0) await told();
    }
    await told();
    const turns = createTurnCounter();
    const heard: string[] = [];
    const most = await turns.mostDuring(async () => {
      const { caughtUp, stop } = other.hear(brands, ({ property }) => {
        heard.push(property);
        turns.handled(property);
      });
      t.after(stop);
      await caughtUp;
    });
    assert.deepEqual(heard.toSorted(), homes.toSorted());
    assert.ok(most <= 30, `${most} in one turn`);
  });

  it('has caught up at once where nothing was told, or of no brand', async (t) => {
    const { other } = await ofNodes(t);
    for (const brands of [BRANDS, []]) await listen(t, other, brands).caughtUp;
  });
}
