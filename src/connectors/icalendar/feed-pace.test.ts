import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { scaledCases } from '../../../test/support/property-cases.ts';
import { createFeedPace, type EndTurn, type FeedTurn } from './feed-pace.ts';

const patient = new AbortController().signal;
const ANSWER_MS = 100;
const BRANDS = ['casas', 'farol', 'mill', 'quinta', 'serra', 'vela'] as const;

type Start = { readonly at: number; readonly host: string; readonly brand: string; readonly urgency: string };

/** A pace whose feeds all answer after a delay. */
function stage() {
  const clock = createFakeClock(0);
  const pace = createFeedPace(clock);
  const starts: Start[] = [];
  const ends: EndTurn[] = [];
  const begunAt = clock.elapsed();
  async function ask(turn: Partial<FeedTurn>, answerMs: number = ANSWER_MS): Promise<void> {
    const asked = {
      host: 'channel.example',
      brand: 'casas',
      urgency: 'background',
      signal: patient,
      ...turn,
    } as const;
    const end = await pace.turn(asked);
    const urgency = asked.hurry?.aborted ? 'live' : asked.urgency;
    starts.push({ at: clock.elapsed() - begunAt, host: asked.host, brand: asked.brand, urgency });
    ends.push(end);
    if (Number.isFinite(answerMs)) clock.after(answerMs, end);
  }
  const askMany = (count: number, turn: Partial<FeedTurn>, answerMs?: number) => {
    for (let at = 0; at < count; at += 1) ask(turn, answerMs).catch(() => undefined);
  };
  return { clock, starts, ends, ask, askMany };
}

/** The largest number of starts within such a period, counted at each start. */
function mostWithin(starts: readonly Start[], perMs: number): number {
  return Math.max(
    0,
    ...starts.map(({ at }) => starts.filter((other) => other.at <= at && other.at > at - perMs).length),
  );
}

describe('the pace of feeds', () => {
  it('lets a host be asked twenty times a second and six hundred times a minute at most, whoever asks', async () => {
    const { clock, starts, askMany } = stage();
    for (const brand of ['casas', 'farol', 'mill']) {
      askMany(1000, { brand });
      askMany(1000, { brand, urgency: 'live' });
    }
    await clock.advance(180_000);
    assert.equal(mostWithin(starts, 1000), 20);
    assert.equal(mostWithin(starts, 60_000), 600);
    assert.ok(starts.length > 1500, String(starts.length));
  });

  it('lets a brand ask no oftener when it spreads its feeds over names of one machine', async () => {
    const { clock, starts, askMany } = stage();
    for (let at = 0; at < 500; at += 1) askMany(4, { host: `h${at}.victim.example` });
    await clock.advance(60_000);
    assert.ok(mostWithin(starts, 1000) <= 20);
    assert.ok(mostWithin(starts, 60_000) <= 600);
  });

  it('lets eight readings of a host wait for their answers at most, of which two are left to the other urgency', async () => {
    const { clock, starts, ends, askMany } = stage();
    for (const brand of BRANDS) askMany(10, { brand }, Number.POSITIVE_INFINITY);
    await clock.settle();
    assert.equal(starts.length, 6);
    for (const brand of BRANDS) askMany(10, { brand, urgency: 'live' }, Number.POSITIVE_INFINITY);
    await clock.settle();
    assert.deepEqual(
      starts.map(({ urgency }) => urgency),
      [...BRANDS.map(() => 'background'), 'live', 'live'],
    );
    ends[0]?.();
    ends[0]?.();
    await clock.settle();
    assert.deepEqual([starts.length, starts.at(-1)?.urgency], [9, 'live']);
  });

  it('leaves places of a host to other brands while one waits for answers that do not come', async () => {
    for (const urgency of ['live', 'background'] as const) {
      const { clock, starts, askMany } = stage();
      askMany(400, { brand: 'hostile', urgency: 'live' }, Number.POSITIVE_INFINITY);
      askMany(400, { brand: 'hostile' }, Number.POSITIVE_INFINITY);
      await clock.settle();
      assert.deepEqual(
        starts.map((start) => start.urgency),
        ['live', 'live', 'background'],
      );
      askMany(20, { brand: 'honest', urgency });
      await clock.advance(1500);
      assert.equal(starts.filter(({ brand }) => brand === 'honest').length, 20);
      assert.equal(starts.length, 23);
    }
  });

  it('leaves the last place of a host to a brand that has none', async () => {
    for (const urgency of ['live', 'background'] as const) {
      const { clock, starts, askMany } = stage();
      for (const brand of ['hostile', 'friend', 'third'])
        askMany(50, { brand, urgency }, Number.POSITIVE_INFINITY);
      await clock.advance(10_000);
      assert.deepEqual(
        starts.map(({ brand }) => brand),
        ['hostile', 'friend', 'third', 'hostile', 'friend'],
      );
      askMany(5, { brand: 'honest', urgency });
      await clock.advance(1000);
      assert.equal(starts.filter(({ brand }) => brand === 'honest').length, 5);
    }
  });

  it('leaves a part of what a host is asked in a minute to other brands, when the feeds of one fail at once', async () => {
    for (const urgency of ['live', 'background'] as const) {
      const { clock, starts, askMany } = stage();
      askMany(500, { brand: 'hostile', urgency: 'live' }, 0);
      askMany(500, { brand: 'hostile' }, 0);
      await clock.advance(45_000);
      askMany(20, { brand: 'honest', urgency });
      await clock.advance(2500);
      assert.equal(starts.filter(({ brand }) => brand === 'honest').length, 20);
    }
  });

  it('lets a brand ask hosts that have given it no calendar sixty times a minute, and one that has at its full pace', async () => {
    const { clock, starts, ends, askMany } = stage();
    const answerFor = async (milliseconds: number, gaveCalendar: boolean) => {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        await clock.advance(100);
        for (const end of ends.splice(0)) end(gaveCalendar);
      }
    };
    askMany(1000, {}, Number.POSITIVE_INFINITY);
    askMany(1000, { urgency: 'live', host: 'www.channel.example' }, Number.POSITIVE_INFINITY);
    await answerFor(70_000, false);
    assert.equal(mostWithin(starts, 60_000), 60);
    askMany(20, { brand: 'farol' }, Number.POSITIVE_INFINITY);
    await answerFor(2000, false);
    assert.equal(starts.filter(({ brand }) => brand === 'farol').length, 20, 'of another brand');
    await answerFor(125_000, true);
    const ofCasas = starts.filter(({ brand }) => brand === 'casas');
    assert.equal(mostWithin(ofCasas, 60_000), 600);
  });

  it('lets a single brand read a host at four fifths of its pace, when each answer takes an eighth of a second', async () => {
    const { clock, starts, askMany } = stage();
    askMany(1000, { urgency: 'live' }, 125);
    await clock.advance(59_999);
    assert.equal(starts.length, 360);
    assert.equal(mostWithin(starts, 1000), 15);
  });

  it('is shared by brands in turns: one with few feeds does not wait for one with many', async () => {
    const { clock, starts, askMany } = stage();
    askMany(1000, { brand: 'greedy' });
    await clock.advance(5000);
    const before = starts.length;
    askMany(5, { brand: 'modest' });
    await clock.advance(5000);
    const since = starts.slice(before).map(({ brand }) => brand);
    assert.ok(since.lastIndexOf('modest') < 12, since.join());
    assert.equal(since.filter((brand) => brand === 'modest').length, 5);
  });

  it('lets live readings go first, and those in the background go on', async () => {
    const { clock, starts, askMany } = stage();
    askMany(1000, {});
    askMany(1000, { urgency: 'live' });
    await clock.advance(10_000);
    const live = starts.filter(({ urgency }) => urgency === 'live').length;
    const share = live / starts.length;
    assert.ok(share > 0.6 && share <= 0.76, String(share));
    assert.equal(starts[0]?.urgency, 'live');
  });

  it('does not hold a host back for another that is slow', async () => {
    const { clock, starts, askMany } = stage();
    askMany(100, { host: 'slow.example' }, Number.POSITIVE_INFINITY);
    askMany(3, { host: 'quick.example' });
    await clock.advance(1000);
    assert.equal(starts.filter(({ host }) => host === 'quick.example').length, 3);
  });

  it('lets one leave the line, or become live in it', async () => {
    const { clock, starts, ask, askMany } = stage();
    askMany(200, {});
    const [leaving, hurrying] = [new AbortController(), new AbortController()];
    const left = ask({ host: 'channel.example', signal: leaving.signal });
    const hurried = ask({ hurry: hurrying.signal });
    await clock.settle();
    leaving.abort(new Error('left'));
    hurrying.abort();
    await assert.rejects(left, /left/);
    await clock.settle();
    await hurried;
    assert.equal(starts.at(-1)?.urgency, 'live');
    assert.ok(starts.length < 20);
    await clock.advance(60_000);
    assert.equal(starts.length, 201);
    assert.equal(clock.pendingTimers, 0);
    await assert.rejects(ask({ signal: AbortSignal.abort(new Error('gone')) }), /gone/);
  });

  it('keeps to its limits and forgets nobody, whoever asks for what and when', async () => {
    const asks = fc.array(
      fc.record({
        host: fc.constantFrom('a.example', 'b.example', 'c.example'),
        brand: fc.constantFrom('casas', 'farol'),
        urgency: fc.constantFrom('live' as const, 'background' as const),
        answerMs: fc.integer({ min: 0, max: 3000 }),
        afterMs: fc.constantFrom(0, 0, 0, 0, 10, 400),
      }),
      { minLength: 1, maxLength: 120 },
    );
    await fc.assert(
      fc.asyncProperty(asks, async (all) => {
        const { clock, starts, ask } = stage();
        for (const { answerMs, afterMs, ...turn } of all) {
          await clock.advance(afterMs);
          ask(turn, answerMs).catch(assert.fail);
        }
        await clock.advance(400_000);
        assert.equal(starts.length, all.length);
        for (const by of ['host', 'brand'] as const) {
          for (const name of new Set(starts.map((start) => start[by]))) {
            const own = starts.filter((start) => start[by] === name);
            assert.ok(mostWithin(own, 1000) <= 20);
            const live = own.filter(({ urgency }) => urgency === 'live');
            assert.ok(mostWithin(live, 1000) <= 15);
          }
        }
        assert.equal(clock.pendingTimers, 0);
      }),
      { numRuns: scaledCases(40) },
    );
  });
});
