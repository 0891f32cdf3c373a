import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CsvFailure } from '../../parsing/csv.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';
import { BOOKING_MEMBERS } from '../../quotes/booking.ts';
import { formatAmount } from '../../stay/money.ts';
import { type BookingLine, readBookingsFile } from './import-outcomes.ts';

const NOW = Date.UTC(2026, 10, 17, 12);
const HEADER = 'reference,quote,status,booked_at,amount,currency';

async function linesOf(text: string, pieces: readonly number[] = [text.length || 1]): Promise<BookingLine[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = pieces[turn % pieces.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  const lines: BookingLine[] = [];
  const context = { brand: 'casas', now: NOW, file: 'bookings.csv' };
  for await (const some of readBookingsFile(chunks(), context)) lines.push(...some);
  return lines;
}

describe('a file of bookings', () => {
  it('has its columns in any order, others beside them, and times in any zone', async () => {
    const text = [
      '\ufeffCurrency,guest,amount,status,booked_at,quote,reference',
      'EUR,"Ana, of Porto",412.50,booked,2026-11-15T12:00:00Z,nxq_aB-3_x,R/1',
      'jpy,,41250,Cancelled,2026-11-15T12:00:00+02:00,,R-2',
      '',
    ].join('\r\n');
    const expected: ReportedBooking[] = [
      {
        brand: 'casas',
        reference: 'R/1',
        nxq: 'nxq_aB-3_x',
        status: 'booked',
        bookedAt: Date.UTC(2026, 10, 15, 12),
        amount: 41250,
        currency: 'EUR',
      },
      {
        brand: 'casas',
        reference: 'R-2',
        nxq: null,
        status: 'cancelled',
        bookedAt: Date.UTC(2026, 10, 15, 10),
        amount: 41250,
        currency: 'JPY',
      },
    ];
    assert.deepEqual(
      await linesOf(text),
      expected.map((booking, at) => ({ kind: 'booking', line: at + 2, booking })),
    );
  });

  it('has each fault told with its line, its column and what to do, and costs no other line', async () => {
    const lines = await linesOf(
      [
        HEADER,
        'R1,,booked,2026-11-15T12:00:00Z,10,EUR',
        'ana@example.com,x,open,2026-02-30T12:00:00Z,10.001,euro',
        'R3,,booked,2027-11-15T12:00:00Z,-1,EUR',
        'R4,,booked,2026-11-15,1.5,JPY',
        'R5,,booked',
        '"R6"x,,booked,2026-11-15T12:00:00Z,10,EUR',
        'R7,,booked,2026-11-15T12:00:00Z,10,EUR',
      ].join('\n'),
    );
    const told = lines.map((one) =>
      one.kind === 'booking' ? `${one.line} ok` : `${one.line} ${one.column} ${one.reason}`,
    );
    assert.deepEqual(told, [
      '2 ok',
      '3 reference is not the name of a booking',
      '3 quote is not the identifier of a quote',
      '3 status is neither booked nor cancelled',
      '3 booked_at is not an instant with its time zone',
      '3 currency is not the code of a currency',
      '3 amount is not an exact amount of this currency',
      '4 booked_at is in the future',
      '4 amount is not an exact amount of this currency',
      '5 booked_at is not an instant with its time zone',
      '5 amount is not an exact amount of this currency',
      '6 null has 3 cells where the header has 6',
      '7 null has text behind the closing quote of a cell',
      '8 ok',
    ]);
    assert.ok(lines.every((one) => one.kind === 'booking' || one.remedy.length > 10));
  });

  it('is refused as a whole where its columns are not known', async () => {
    await assert.rejects(linesOf(''), new CsvFailure('bookings.csv is empty'));
    const missing = new CsvFailure('bookings.csv:1: there is no column quote, booked_at');
    await assert.rejects(linesOf('reference,status,amount,currency\n'), missing);
  });

  it('gives back what was written, in whatever pieces it comes', async () => {
    const booking = fc.record({
      reference: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/),
      nxq: fc.option(fc.stringMatching(/^nxq_[A-Za-z0-9_-]{22}$/)),
      status: fc.constantFrom('booked' as const, 'cancelled' as const),
      bookedAt: fc.integer({ min: 0, max: NOW }),
      amount: fc.integer({ min: 0, max: 99_999_999_999 }),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
    });
    const order = fc.shuffledSubarray([...BOOKING_MEMBERS], { minLength: BOOKING_MEMBERS.length });
    await fc.assert(
      fc.asyncProperty(
        fc.array(booking, { maxLength: 20 }),
        order,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (bookings, columns, pieces) => {
          const text = [columns.join(',')];
          for (const { nxq, bookedAt, amount, ...rest } of bookings) {
            const cells = {
              ...rest,
              quote: nxq ?? '',
              booked_at: new Date(bookedAt).toISOString(),
              amount: formatAmount(amount, rest.currency),
            };
            text.push(columns.map((column) => `"${cells[column]}"`).join(','));
          }
          const lines = await linesOf(text.join('\n'), pieces);
          assert.deepEqual(
            lines.map((one) => (one.kind === 'booking' ? one.booking : one)),
            bookings.map((one) => ({ brand: 'casas', ...one })),
          );
        },
      ),
    );
  });
});
