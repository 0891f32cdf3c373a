import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
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
});

it('short answers are read on the calling thread, until they take long together or one of a brand does', async (t) => {
  let elapsedMs = 0;
  const intake = createIntakeThreads({ places, clock: { ...systemClock, elapsed: () => elapsedMs } });
  t.after(() => intake.close());
  /** Whether an answer that takes this long is read here. */
  async function isReadHere(tookMs: number, brand = 'casas'): Promise<boolean> {
    const document = bytesOf({ quotes: [{ property: 'a', status: 'unavailable', reason: 'booked' }] });
    await intake.run({
      task: 'quotes',
      lane: 'live',
      brand,
      document,
      parameters: { asked: ['a'], currency: 'EUR' },
      signal: patient,
      take() {
        if (document.byteLength > 0) elapsedMs += tookMs;
      },
    });
    return document.byteLength > 0;
  }
  const nextTurn = () => new Promise(setImmediate);
  assert.deepEqual(await Promise.all([2, 2, 2, 2].map((ms) => isReadHere(ms))), [true, true, true, false]);
  await nextTurn();
  assert.equal(await isReadHere(21), true, 'its cost was not known before');
  await nextTurn();
  assert.deepEqual([await isReadHere(1), await isReadHere(1, 'villas')], [false, true]);
  elapsedMs += 30_000;
  await nextTurn();
  assert.equal(await isReadHere(1), true);
});
