import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertUnharmed, sliceOf } from '../support/compare-slices.ts';
import { homes, type Neighbourhood, startNeighbourhood, stayIn } from '../support/neighbourhood.ts';

const ABANDONED = 300;
const OPERATOR_TAKES_MS = 400;
const MAX_CALLS_FOR_NOBODY = 80;

describe('slots and gates', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood({ honest: homes('honest', 5), hostile: homes('hostile', 5) });
    here.honest.misbehave = async (path) => {
      if (path === '/quotes') await new Promise((resolve) => setTimeout(resolve, OPERATOR_TAKES_MS));
      return false;
    };
  });
  after(() => here.close());

  it('are given back by clients that have hung up, and operators are not called for nobody', async (t) => {
    t.after(() => t.diagnostic(`${here.honest.asked.length} calls of the operator`));
    const before = here.honest.asked.length;
    await assertUnharmed(
      () => sliceOf(3, async () => (await here.modest.search()).status === 200),
      async () => {
        await Promise.all(Array.from({ length: ABANDONED }, (_, index) => abandonedSearch(here, index)));
        return sliceOf(
          3,
          async () => (await here.modest.search({ guests: '3' })).body.object === 'search_result',
        );
      },
    );
    const calls = here.honest.asked.length - before;
    assert.ok(calls <= MAX_CALLS_FOR_NOBODY, `the operator was called ${calls} times`);
  });

  it('a session has a short queue, and the one that fills it harms nobody else', async () => {
    const token = await here.greedy.open();
    const path = `/ai/v1/search?session=${token}`;
    const requests = Array.from({ length: 40 }, (_, index) =>
      here.greedy.call(path, { body: { ...stayIn('lisbon-pt'), guests: String(1 + (index % 4)) } }),
    );
    const modest = await here.modest.search({ guests: '1' });
    assert.equal(modest.body.object, 'search_result');
    const codes = (await Promise.all(requests)).map(({ body }) => body.error ?? body.object);
    assert.ok(codes.includes('overloaded'), 'the rest is refused clearly');
    assert.ok(codes.filter((code) => code === 'search_result').length <= 12, 'few wait');
  });

  it('one client cannot fill the gate of an operator for another', async () => {
    await assertUnharmed(
      () => sliceOf(2, async () => (await here.modest.search()).status === 200),
      async () => {
        // Different stays, so that no two questions are the same call.
        const waiting = Array.from({ length: 120 }, (_, index) =>
          here.greedy
            .search({ guests: String(1 + (index % 4)), ...nightsFrom(index) })
            .catch(() => undefined),
        );
        const slice = await sliceOf(2, async () => {
          const { body } = await here.modest.search();
          return body.results?.some(({ brand }: { brand: string }) => brand === 'Brand honest') ?? false;
        });
        await Promise.all(waiting);
        return slice;
      },
    );
  });
});

async function abandonedSearch({ greedy }: Neighbourhood, index: number): Promise<void> {
  const token = await greedy.open();
  await greedy
    .call(`/ai/v1/search?session=${token}`, {
      body: { ...stayIn('lisbon-pt'), ...nightsFrom(index), guests: String(1 + (index % 4)) },
      hangUpAfterMs: 50,
    })
    .catch(() => undefined);
}

function nightsFrom(index: number) {
  const day = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
  const checkIn = day(10 + (index % 60));
  return { check_in_month: checkIn.slice(0, 7), check_in_day: checkIn, check_out: day(12 + (index % 60)) };
}
