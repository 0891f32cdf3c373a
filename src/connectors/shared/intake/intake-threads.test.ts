import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { plainContext, plainListing, plainRates } from '../../../../test/support/plain-listing.ts';
import { systemClock } from '../../../clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { Intake, IntakeLaneName, IntakeOrder, IntakeTaskName } from './intake.ts';
import { createIntakeThreads } from './intake-threads.ts';
import { createInlineIntake } from './run-task.ts';

const patient = new AbortController().signal;
const { places, ...context } = plainContext;
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const names = (count: number) => Array.from({ length: count }, (_, at) => `casa-${at}`);
const listed = (count: number) => names(count).map((reference) => ({ ...plainListing, reference }));

async function read<Name extends IntakeTaskName>(
  intake: Intake,
  task: Name,
  value: unknown,
  parameters: IntakeOrder<Name>['parameters'],
  lane: IntakeLaneName = 'background',
  brand = 'casas',
) {
  const items: unknown[] = [];
  const chunks: number[] = [];
  const document = value instanceof Uint8Array ? new Uint8Array(value) : bytesOf(value);
  const { summary } = await intake.run({
    task,
    lane,
    brand,
    document,
    parameters,
    signal: patient,
    take(some, bytes) {
      items.push(...some);
      chunks.push(bytes);
    },
  });
  return { items, summary, chunks, document };
}

describe('the threads of the intake', () => {
  const intake = createIntakeThreads({ places, clock: systemClock });
  after(() => intake.close());

  it('read the same as the calling thread does', async () => {
    const [there, here] = [intake, createInlineIntake({ places })];
    const same = async <Name extends IntakeTaskName>(
      task: Name,
      value: unknown,
      parameters: IntakeOrder<Name>['parameters'],
    ) => {
      const [one, other] = [
        await read(there, task, value, parameters),
        await read(here, task, value, parameters),
      ];
      assert.deepEqual([one.items, one.summary], [other.items, other.summary]);
      assert.ok(one.items.length > 1);
      return one;
    };
    const page = await same(
      'catalogue_page',
      { properties: [...listed(300), null], next_page: 'x' },
      context,
    );
    assert.ok(page.chunks.length > 1 && Math.max(...page.chunks) < 200 * 1024, 'it came in small chunks');
    assert.equal(page.document.byteLength, 0, 'its memory was moved, not copied');
    const periods = [{ from: '2027-08-01', to: '2027-08-05', available: true, price: '10.00' }];
    await same(
      'calendars',
      { calendars: names(3).map((property) => ({ property, periods })) },
      {
        asked: names(4),
        horizon: { from: 20_666, nights: 500 },
        currencies: new Map(names(3).map((name) => [name, 'EUR'])),
      },
    );
    await same(
      'quotes',
      { quotes: [{ property: 'a', status: 'unavailable', reason: 'booked' }] },
      {
        asked: ['a', 'b'],
        currency: 'EUR',
      },
    );
    await same(
      'rate_card',
      { properties: listed(40).map((listing) => ({ listing, rates: plainRates, booked: [] })) },
      context,
    );
  });

  it('bring a document back when it is wanted, as it was', async () => {
    const document = bytesOf({ properties: [{ listing: plainListing, rates: plainRates, booked: [] }] });
    const before = document.slice();
    const result = await intake.run({
      task: 'rate_card',
      lane: 'live',
      brand: 'casas',
      document: new Uint8Array([...document, ...new Uint8Array(20_000).fill(0x20)]),
      parameters: context,
      signal: patient,
      take: () => undefined,
      returnsDocument: true,
    });
    assert.deepEqual(result.document?.subarray(0, before.length), before);
  });

  it('refuse what is no document, each kind by its name', async () => {
    for (const text of ['', '{"properties":', '[]', '"\\ud800']) {
      await assert.rejects(
        read(intake, 'catalogue_page', new TextEncoder().encode(text), context),
        (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
        text,
      );
    }
    await assert.rejects(
      read(intake, 'catalogue_page', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), context),
      /not UTF-8/,
    );
  });

  for (const [what, text] of [
    ['nested 200,000 deep', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['of millions of empty lists', `[${'[],'.repeat(5_000_000)}[]]`],
    ['of millions of objects', `[${'{"a":{}},'.repeat(1_700_000)}{}]`],
  ] as const) {
    it(`survive JSON ${what}`, async () => {
      await assert.rejects(
        read(intake, 'catalogue_page', new TextEncoder().encode(text), context),
        (error) => error instanceof BookingSystemFailure && /garbled|too_large/.test(error.kind),
      );
      const { items } = await read(
        intake,
        'catalogue_page',
        { properties: listed(2), next_page: null },
        context,
      );
      assert.equal(items.length, 2);
    });
  }

  it('let a price pass while catalogues and rate cards are read', async () => {
    const order: string[] = [];
    const quotes = { quotes: [], filler: 'x'.repeat(50_000) };
    const price = () =>
      read(intake, 'quotes', quotes, { asked: ['a'], currency: 'EUR' }, 'live', 'villas').then(() =>
        order.push('price'),
      );
    await price();
    const slow = { properties: listed(300), next_page: null };
    const catalogues = ['one', 'two', 'three'].map(() =>
      read(intake, 'catalogue_page', slow, context).then(() => order.push('catalogue')),
    );
    const card = { properties: listed(300).map((listing) => ({ listing, rates: plainRates, booked: [] })) };
    const cards = ['one', 'two', 'three'].map(() =>
      read(intake, 'rate_card', card, context, 'live').then(() => order.push('rate card')),
    );
    await price();
    await Promise.all([...catalogues, ...cards]);
    assert.ok(order.lastIndexOf('price') < order.lastIndexOf('rate card'), order.join());
  });

  it('let a short rate card pass while a long one is read', async () => {
    const order: string[] = [];
    const cardOf = (homes: number) => ({
      properties: listed(homes).map((listing) => ({ listing, rates: plainRates, booked: [] })),
    });
    const priceFrom = (card: unknown, name: string) =>
      read(intake, 'rate_card', card, context, 'live').then(() => order.push(name));
    const [short, long] = [cardOf(40), { ...cardOf(300), filler: 'x'.repeat(512 * 1024) }];
    assert.ok(bytesOf(short).length > 12 * 1024, 'it is not read on the calling thread');
    await Promise.all([priceFrom(short, 'short'), priceFrom(long, 'long')]);
    order.length = 0;
    const reading = priceFrom(long, 'long');
    await priceFrom(short, 'short');
    await reading;
    assert.deepEqual(order, ['short', 'long']);
  });
});

describe('short answers', () => {
  const answer = { quotes: [{ property: 'a', status: 'unavailable', reason: 'booked' }] };
  const MS_PER_SECOND = 1000;

  function setUp(t: TestContext) {
    let elapsedMs = 0;
    let usedMs = 0;
    const clock = { ...systemClock, elapsed: () => elapsedMs };
    const intake = createIntakeThreads({ places, clock, usedMs: () => usedMs });
    t.after(() => intake.close());
    /** Reading it takes as long as is said. Tells on which thread it was read. */
    async function readAnswer(tookMs: number, brand = 'casas'): Promise<'here' | 'elsewhere'> {
      const document = bytesOf(answer);
      await intake.run({
        task: 'quotes',
        lane: 'live',
        brand,
        document,
        parameters: { asked: ['a'], currency: 'EUR' },
        signal: patient,
        take() {
          if (document.byteLength === 0) return;
          usedMs += tookMs;
          elapsedMs += tookMs;
        },
      });
      return document.byteLength > 0 ? 'here' : 'elsewhere';
    }
    return {
      readAnswer,
      pass(ms: number) {
        elapsedMs += ms;
      },
    };
  }

  /** How many of the answers are read before the event loop has a turn. */
  async function readInOneTurn(answers: readonly Promise<unknown>[]): Promise<number> {
    let read = 0;
    for (const one of answers) void one.then(() => (read += 1));
    // All promise callbacks run before the next immediate.
    const inTime = await new Promise<number>((resolve) => setImmediate(() => resolve(read)));
    await Promise.all(answers);
    return inTime;
  }

  it('are read on the calling thread, however many, while they take little time together', async (t) => {
    const { readAnswer } = setUp(t);
    const answers = Array.from({ length: 200 }, () => readAnswer(0.02));
    assert.equal(await readInOneTurn(answers), 200);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['here']));
  });

  it('wait for the next turn of the event loop when reading has taken its share of one', async (t) => {
    const { readAnswer } = setUp(t);
    const answers = Array.from({ length: 6 }, () => readAnswer(2));
    assert.equal(await readInOneTurn(answers), 3);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['here']));
  });

  it('of a great burst are read on the calling thread too, in as many turns as it takes', async (t) => {
    const { readAnswer } = setUp(t);
    const answers = Array.from({ length: 200 }, (_, at) =>
      readAnswer(0.3, at % 2 === 0 ? 'casas' : 'villas'),
    );
    assert.equal(await readInOneTurn(answers), 17);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['here']));
  });

  it('wait behind those that wait already, and brands take turns', async (t) => {
    const { readAnswer } = setUp(t);
    const read: string[] = [];
    const begin = (name: string, brand: string) => readAnswer(2, brand).then(() => read.push(name));
    const burst = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((name) => begin(name, name.charAt(0)));
    await new Promise(setImmediate);
    // The share of this turn is new, and those who came before have it.
    await Promise.all([...burst, begin('c1', 'c')]);
    assert.deepEqual(read, ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'a5']);
  });

  it('are read elsewhere when the next turn has no time left either', async (t) => {
    const { readAnswer } = setUp(t);
    const answers = ['one', 'two', 'three', 'four'].map((brand) => readAnswer(16, brand));
    assert.equal(await readInOneTurn(answers), 1);
    assert.deepEqual(await Promise.all(answers), ['here', 'here', 'elsewhere', 'elsewhere']);
  });

  it('of a brand are read elsewhere for a while when they have taken long, and those of others are not', async (t) => {
    const { readAnswer, pass } = setUp(t);
    for (const tookMs of [22, 12, 12, 8]) {
      assert.equal(await readAnswer(tookMs), 'here', 'the first ones take long for anybody');
      await new Promise(setImmediate);
    }
    for (let honest = 0; honest < 100; honest += 1) assert.equal(await readAnswer(0.2), 'here');
    await new Promise(setImmediate);
    for (const tookMs of [22, 22, 22]) {
      assert.equal(await readAnswer(tookMs), 'here');
      await new Promise(setImmediate);
    }
    assert.equal(await readAnswer(0.2), 'elsewhere');
    assert.equal(await readAnswer(0.2, 'villas'), 'here');
    pass(9 * MS_PER_SECOND);
    assert.equal(await readAnswer(0.2), 'elsewhere');
    pass(2 * MS_PER_SECOND);
    assert.equal(await readAnswer(1000), 'here', 'it was a while ago');
    pass(29 * MS_PER_SECOND);
    assert.equal(await readAnswer(0.2), 'elsewhere');
    pass(2 * MS_PER_SECOND);
    assert.equal(await readAnswer(0.2), 'here', 'half a minute is the longest');
  });

  it('that fail are charged too', async (t) => {
    let usedMs = 0;
    const clock = { ...systemClock, elapsed: () => usedMs };
    const intake = createIntakeThreads({ places, clock, usedMs: () => usedMs });
    t.after(() => intake.close());
    const order = (take: () => void) => ({
      task: 'quotes' as const,
      lane: 'live' as const,
      brand: 'casas',
      document: bytesOf(answer),
      parameters: { asked: ['a'], currency: 'EUR' },
      signal: patient,
      take,
    });
    const slow = order(() => {
      usedMs += 60;
      throw new Error('not wanted');
    });
    await assert.rejects(intake.run(slow), /not wanted/);
    const next = order(() => undefined);
    await intake.run(next);
    assert.equal(next.document.byteLength, 0, 'it was read elsewhere');
  });
});
