import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Calendar } from '../catalogue/calendar.ts';
import { propertyIdOf } from '../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { Day } from '../stay/day.ts';
import type {
  BookingSystem,
  CalendarReadings,
  Horizon,
  QuoteOutcome,
  UnavailableReason,
} from './booking-system.ts';

/** A system with one property, and which of its nights are free and which are taken. */
export type ContractSubject = {
  readonly system: BookingSystem;
  readonly reference: string;
  readonly currency: string;
  readonly maxGuests: number;
  readonly horizon: Horizon;
  readonly free: { readonly checkIn: Day; readonly checkOut: Day };
  /** Left out for a system in which nothing can be booked. */
  readonly taken?: { readonly checkIn: Day; readonly checkOut: Day };
  /** The reason that the system gives when it does not say that the nights are booked. */
  readonly takenReason?: UnavailableReason;
  /** Where the calendar knows less than the price: it may offer what the price refuses, but never the other way round. */
  readonly isCalendarLooser?: boolean;
  release(): Promise<void>;
};

/** The rules of the port, for every kind of booking system. */
export function bookingSystemContract(
  name: string,
  { newSystem }: { readonly newSystem: () => Promise<ContractSubject> },
): void {
  describe(`${name} keeps the contract of a booking system`, () => {
    let subject: ContractSubject;
    const patient = new AbortController().signal;

    beforeEach(async () => {
      subject = await newSystem();
      await subject.system.catalogue(patient);
    });
    afterEach(async () => {
      await subject.system.close();
      await subject.release();
    });

    const ask = (changes: Partial<Parameters<BookingSystem['quote']>[0]> = {}, signal = patient) =>
      subject.system.quote(
        {
          references: [subject.reference],
          ...subject.free,
          guests: 2,
          currency: subject.currency,
          ...changes,
        },
        signal,
      );
    const askOne = async (changes: Parameters<typeof ask>[0] = {}): Promise<QuoteOutcome> => {
      const outcomes = await ask(changes);
      assert.equal(outcomes.length, 1);
      assert.ok(outcomes[0]);
      return outcomes[0];
    };

    it('lists its properties under its brand', async () => {
      const { properties, rejections } = await subject.system.catalogue(patient);
      const { brand } = subject.system;
      assert.deepEqual(
        rejections.filter(({ repaired }) => !repaired),
        [],
      );
      assert.deepEqual(
        properties.map((property) => [property.id, property.brand, property.currency]),
        [[propertyIdOf(brand, subject.reference), brand, subject.currency]],
      );
    });

    it('gives a calendar of the whole horizon, and a reason for each property without one', async () => {
      const { horizon, reference } = subject;
      const readings = await subject.system.calendars([reference, 'nobody-knows'], horizon, patient);
      assert.deepEqual([...readings.keys()], [reference, 'nobody-knows']);
      assert.equal(readings.get('nobody-knows')?.kind, 'invalid');
      const { firstDay, ...columns } = calendarIn(readings, reference);
      assert.equal(firstDay, horizon.from);
      for (const column of Object.values(columns)) assert.equal(column.length, horizon.nights);
    });

    it('quotes a free stay, with lines that add up where it has any, and the same again', async () => {
      const first = await askOne();
      assert.equal(first.kind, 'quoted');
      assert.ok(first.kind === 'quoted');
      const { total, lines, currency } = first.quote;
      assert.equal(currency, subject.currency);
      assert.ok(Number.isSafeInteger(total) && total > 0);
      const sum = lines.reduce((partial, line) => partial + line.amount, 0);
      assert.ok(lines.length === 0 || sum === total);
      const again = await askOne();
      assert.ok(again.kind === 'quoted');
      // A vendor may hold each price from the moment of its answer.
      assert.deepEqual({ ...again.quote, heldUntil: null }, { ...first.quote, heldUntil: null });
    });

    it('refuses booked nights, too many guests and unknown properties, each with its reason', async () => {
      const { reference, taken, takenReason = 'booked', maxGuests } = subject;
      const refused = (reason: string, of = reference) => ({ kind: 'unavailable', reference: of, reason });
      if (taken) assert.deepEqual(await askOne(taken), refused(takenReason));
      assert.deepEqual(await askOne({ guests: maxGuests + 1 }), refused('too_many_guests'));
      assert.deepEqual(
        await askOne({ references: ['nobody-knows'] }),
        refused('unknown_property', 'nobody-knows'),
      );
      assert.equal((await askOne({ guests: maxGuests })).kind, 'quoted');
    });

    it('never quotes in another currency than the one asked for', async () => {
      const outcome = await askOne({ currency: 'JPY' });
      assert.deepEqual(outcome, { kind: 'failed', reference: subject.reference, failure: 'wrong_currency' });
    });

    it('answers each reference once, however many and however often they are asked for', async () => {
      const others = Array.from(
        { length: subject.system.limits.batchSize + 5 },
        (_, index) => `unknown-${index}`,
      );
      const references = [...others, subject.reference, subject.reference, ...others];
      const outcomes = await ask({ references });
      assert.deepEqual(outcomes.map(({ reference }) => reference).sort(), [...new Set(references)].sort());
      assert.equal(outcomes.find(({ reference }) => reference === subject.reference)?.kind, 'quoted');
      assert.deepEqual(await ask({ references: [] }), []);
    });

    it('quotes exactly the stays that its calendar allows', async () => {
      const { horizon, reference } = subject;
      const calendar = calendarIn(await subject.system.calendars([reference], horizon, patient), reference);
      for (let arrival = 0; arrival < Math.min(horizon.nights - 6, 30); arrival += 1) {
        for (const nights of [1, 2, 5]) {
          const checkIn = horizon.from + arrival;
          const { kind } = await askOne({ checkIn, checkOut: checkIn + nights });
          const isAllowed = allows(calendar, arrival, nights);
          const stay = `${nights} nights from ${arrival}`;
          if (subject.isCalendarLooser) assert.ok(isAllowed || kind !== 'quoted', stay);
          else assert.equal(kind === 'quoted', isAllowed, stay);
        }
      }
    });

    it('gives up when it is told to', async () => {
      const given = AbortSignal.abort();
      assert.deepEqual(await ask({}, given), [
        { kind: 'failed', reference: subject.reference, failure: 'timeout' },
      ]);
      const isTimeout = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'timeout';
      await assert.rejects(subject.system.catalogue(given), isTimeout);
    });

    it('can be closed twice, and still does not throw on a quote', async () => {
      await subject.system.close();
      await subject.system.close();
      assert.equal((await ask()).length, 1);
    });
  });
}

function calendarIn(readings: CalendarReadings, reference: string): Calendar {
  const reading = readings.get(reference);
  assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
  return reading.value;
}

function allows(calendar: Calendar, arrival: number, nights: number): boolean {
  const maximum = calendar.maximumStay[arrival] || Number.POSITIVE_INFINITY;
  return (
    calendar.available.subarray(arrival, arrival + nights).every((night) => night === 1) &&
    calendar.closedToArrival[arrival] === 0 &&
    calendar.closedToDeparture[arrival + nights] === 0 &&
    (calendar.minimumStay[arrival] ?? 1) <= nights &&
    nights <= maximum
  );
}
