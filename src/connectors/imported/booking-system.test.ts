import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { plainContext, plainListing } from '../../../test/support/plain-listing.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { bookingSystemContract } from '../../quotes/booking-system.contract.ts';
import { parseDay } from '../../stay/day.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { createIntakeThreads } from '../shared/intake/intake-threads.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createImportedBookingSystem } from './connector.ts';

const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;
const NOW = Date.UTC(2027, 5, 1, 12);
const clock: Clock = { ...systemClock, now: () => NOW, elapsed: () => 0 };
const intake = createInlineIntake(plainContext);

const home = (changes: object = {}) => ({ type: 'property', ...plainListing, ...changes });
const calendar = (periods: readonly object[], property = 'casa-1') => ({
  type: 'calendar',
  property,
  periods,
});
const free = { available: true, price: '100.00' };
const PERIODS = [
  { from: '2027-08-01', to: '2027-08-10', ...free },
  { from: '2027-08-10', to: '2027-08-17', ...free, available: false },
  { from: '2027-08-17', to: '2027-08-22', ...free, minimum_stay: 2, maximum_stay: 4 },
  { from: '2027-08-22', to: '2027-08-24', ...free, price: '130.50', closed_to_departure: true },
  { from: '2027-08-24', to: '2027-08-25', ...free, closed_to_arrival: true },
  { from: '2027-08-25', to: '2027-08-27', available: true },
  { from: '2027-08-27', to: '2027-08-28', available: true, price: '0.00' },
  { from: '2027-08-28', to: '2027-10-01', ...free },
];
const LINES = [calendar(PERIODS.slice(0, 3)), home(), calendar(PERIODS.slice(3))];
const stay = {
  references: ['casa-1'],
  checkIn: day('2027-08-20'),
  checkOut: day('2027-08-24'),
  guests: 2,
  currency: 'EUR',
};

const textOf = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

async function importedFile(t: TestContext | undefined, content: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'imported-'));
  const release = () => rm(folder, { recursive: true });
  t?.after(release);
  const path = join(folder, 'homes.jsonl');
  await writeFile(path, content);
  /** Written at once, as by an import. */
  const replace = async (lines: readonly unknown[]) => {
    await writeFile(`${path}.part`, textOf(lines));
    await rename(`${path}.part`, path);
  };
  return { path, replace, release };
}

const systemFor = (path: string, changes: Partial<Parameters<typeof createImportedBookingSystem>[0]> = {}) =>
  createImportedBookingSystem({
    path,
    context: plainContext,
    intake,
    maxDocumentAgeMs: 300_000,
    clock,
    ...changes,
  });

for (const [name, content] of [
  ['a file of imported homes', textOf(LINES)],
  ['a packed file of imported homes', gzipSync(textOf(LINES))],
] as const) {
  bookingSystemContract(name, {
    async newSystem() {
      const { path, release } = await importedFile(undefined, content);
      return {
        system: systemFor(path),
        reference: 'casa-1',
        currency: 'EUR',
        maxGuests: 4,
        horizon: { from: day('2027-07-25'), nights: 60 },
        free: { checkIn: day('2027-08-19'), checkOut: day('2027-08-21') },
        taken: { checkIn: day('2027-08-08'), checkOut: day('2027-08-12') },
        release,
      };
    },
  });
}

describe('imported homes', () => {
  it('cost the sum of their nights, and claim no breakdown of it', async (t) => {
    const system = systemFor((await importedFile(t, textOf(LINES))).path);
    const short = { ...stay, checkIn: day('2027-08-19'), checkOut: day('2027-08-21') };
    assert.deepEqual(await system.quote(short, patient), [
      {
        kind: 'quoted',
        reference: 'casa-1',
        quote: {
          currency: 'EUR',
          total: 20_000,
          lines: [],
          heldUntil: null,
          retrievedAt: NOW,
        },
      },
    ]);
    const [over] = await system.quote({ ...stay, checkIn: day('2027-08-21') }, patient);
    assert.ok(over?.kind === 'quoted');
    assert.equal(over.quote.total, 10_000 + 2 * 13_050);
  });

  it('refuse a stay by the first rule against it', async (t) => {
    const system = systemFor((await importedFile(t, textOf(LINES))).path);
    const reasonOf = async (checkIn: string, checkOut: string, guests = 2) => {
      const request = { ...stay, checkIn: day(checkIn), checkOut: day(checkOut), guests };
      const [outcome] = await system.quote(request, patient);
      return outcome?.kind === 'unavailable' ? outcome.reason : outcome?.kind;
    };
    const cases = [
      [await reasonOf('2027-08-05', '2027-08-05'), 'not_offered'],
      [await reasonOf('2027-08-05', '2027-08-06', 5), 'too_many_guests'],
      [await reasonOf('2027-06-01', '2027-06-03'), 'lead_time'],
      [await reasonOf('2027-08-09', '2027-08-11'), 'booked'],
      [await reasonOf('2027-07-30', '2027-08-03'), 'booked'],
      [await reasonOf('2027-09-28', '2027-10-02'), 'booked'],
      [await reasonOf('2027-08-24', '2027-08-26'), 'booked'],
      [await reasonOf('2027-08-27', '2027-08-28'), 'booked'],
      [await reasonOf('2027-08-24', '2027-08-25'), 'closed_to_arrival'],
      [await reasonOf('2027-08-21', '2027-08-23'), 'closed_to_departure'],
      [await reasonOf('2027-08-18', '2027-08-19'), 'minimum_stay'],
      [await reasonOf('2027-08-17', '2027-08-22'), 'closed_to_departure'],
      [await reasonOf('2027-08-19', '2027-08-24'), 'maximum_stay'],
      [await reasonOf('2027-09-28', '2027-10-01'), 'quoted'],
    ];
    for (const [index, [found, expected]] of cases.entries()) assert.equal(found, expected, `case ${index}`);
  });

  it('are read again when the file has changed, and only then', async (t) => {
    const { path, replace } = await importedFile(t, textOf(LINES));
    let tasks = 0;
    const counting: Intake = {
      ...intake,
      run(order) {
        tasks += 1;
        return intake.run(order);
      },
    };
    const system = systemFor(path, { intake: counting });
    const [first] = await system.quote(stay, patient);
    await Promise.all([system.catalogue(patient), system.quote(stay, patient), system.quote(stay, patient)]);
    assert.equal(tasks, 1);
    await replace([
      home(),
      calendar([{ from: '2027-08-01', to: '2027-09-01', available: true, price: '1' }]),
    ]);
    const [second] = await system.quote(stay, patient);
    assert.ok(first?.kind === 'quoted' && second?.kind === 'quoted');
    assert.deepEqual([first.quote.total, second.quote.total], [46_100, 400]);
    assert.equal(tasks, 2);
  });

  it('lose only the bad lines of their file, and say which', async (t) => {
    const { path } = await importedFile(
      t,
      textOf([
        home(),
        home(),
        'nonsense',
        home({ reference: 'elsewhere', place: 'atlantis' }),
        home({ reference: 'no-calendar' }),
        home({ reference: 'bad-calendar' }),
        calendar([{ ...PERIODS[0], price: '1.005' }], 'bad-calendar'),
        home({ reference: 'cut-calendar' }),
        calendar([{ ...PERIODS[0] }], 'cut-calendar'),
        calendar([{ ...PERIODS[1], available: 'maybe' }], 'cut-calendar'),
        calendar(PERIODS),
      ]),
    );
    const system = systemFor(path);
    const { properties, rejections } = await system.catalogue(patient);
    assert.deepEqual(
      properties.map(({ reference }) => reference),
      ['casa-1', 'no-calendar', 'bad-calendar', 'cut-calendar'],
    );
    assert.deepEqual(rejections.map(({ reference, field, rule }) => [reference, field, rule]).sort(), [
      ['(no reference)', '', 'not_json'],
      ['casa-1', 'reference', 'listed_twice'],
      ['elsewhere', 'place', 'unknown_place'],
    ]);
    assert.match(rejections.find(({ rule }) => rule === 'not_json')?.reason ?? '', /\(line 3\)$/);
    const horizon = { from: stay.checkIn, nights: 3 };
    const readings = await system.calendars(
      ['casa-1', 'no-calendar', 'bad-calendar', 'cut-calendar'],
      horizon,
      patient,
    );
    assert.deepEqual(
      Array.from(readings.values(), (reading) =>
        reading.kind === 'valid' ? 'valid' : reading.faults.map(({ rule }) => rule).join(),
      ),
      ['valid', 'calendar_missing', 'price_too_fine', 'wrong_type'],
    );
    const outcomes = await system.quote({ ...stay, references: ['no-calendar', 'bad-calendar'] }, patient);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind === 'failed' && outcome.failure),
      ['garbled', 'garbled'],
    );
  });

  it('fail as a whole when the file cannot be read through', async (t) => {
    const failureOf = async (content: string | Uint8Array, changes: Parameters<typeof systemFor>[1] = {}) => {
      const system = systemFor((await importedFile(t, content)).path, changes);
      return system.catalogue(patient).then(
        () => 'read',
        (error) => (error instanceof BookingSystemFailure ? error.kind : error),
      );
    };
    assert.equal(await failureOf(gzipSync(textOf(LINES)).subarray(0, 100)), 'garbled');
    assert.equal(await failureOf(`"${'x'.repeat(3 * 1024 * 1024)}"`), 'too_large');
    const budget = { listings: 1, bytes: 1_000_000 };
    assert.equal(await failureOf(textOf(LINES), { budget }), 'read');
    assert.equal(await failureOf(textOf([...LINES, home({ reference: 'b' })]), { budget }), 'too_large');
  });

  it('are read on threads as they are inline, in several pieces', async (t) => {
    const threads = createIntakeThreads({ ...plainContext, clock: systemClock });
    t.after(() => threads.close());
    const lines = Array.from({ length: 1500 }, (_, index) => [
      home({ reference: `h${index}` }),
      calendar(PERIODS, `h${index}`),
    ]).flat();
    const { path } = await importedFile(t, textOf(lines));
    const [one, other] = [systemFor(path), systemFor(path, { intake: threads })];
    assert.deepEqual(await other.catalogue(patient), await one.catalogue(patient));
    const horizon = { from: stay.checkIn, nights: 30 };
    const references = ['h0', 'h749', 'h1499'];
    assert.deepEqual(
      await other.calendars(references, horizon, patient),
      await one.calendars(references, horizon, patient),
    );
  });
});
