import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { systemFor as openSystemFor } from '../../../test/support/plain-open-system.ts';
import { sendJson } from '../../../test/support/plain-server.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';

const patient = new AbortController().signal;
/** With long time limits, so that a busy machine fails no test. */
const systemFor = (t: TestContext, listener: RequestListener) => openSystemFor(t, listener, 60_000, 60_000);
const SINCE = Date.UTC(2026, 10, 1);
const booking = {
  reference: 'R-1',
  quote: 'nxq_0123456789abcdefghijkl',
  status: 'booked',
  booked_at: '2026-11-02T10:00:00Z',
  amount: '412.50',
  currency: 'EUR',
};
const read: ReportedBooking = {
  brand: 'casas',
  reference: 'R-1',
  nxq: 'nxq_0123456789abcdefghijkl',
  status: 'booked',
  bookedAt: Date.UTC(2026, 10, 2, 10),
  amount: 41250,
  currency: 'EUR',
};
const page = (bookings: readonly unknown[], next: unknown = null) => ({ bookings, next_page: next });

function failureOf(kind: string, message: RegExp) {
  return (error: unknown) =>
    error instanceof BookingSystemFailure && error.kind === kind && message.test(error.message);
}

describe('bookings over the open protocol', () => {
  it('are read page by page, since an instant', async (t) => {
    const { system, server } = await systemFor(t, ({ url = '' }, response) =>
      sendJson(
        response,
        url.includes('page=')
          ? page([{ ...booking, reference: 'R-2', quote: null }])
          : page([booking], 'two & more'),
      ),
    );
    assert.deepEqual(await system.bookings?.(SINCE, patient), {
      bookings: [
        { ...read, brand: system.brand },
        { ...read, brand: system.brand, reference: 'R-2', nxq: null },
      ],
      leftOut: 0,
    });
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [
        '/bookings?since=2026-11-01T00%3A00%3A00.000Z',
        '/bookings?since=2026-11-01T00%3A00%3A00.000Z&page=two%20%26%20more',
      ],
    );
  });

  it('lose only those that are bad, and everything about guests', async (t) => {
    const bad = [
      null,
      'R-9',
      { ...booking, reference: 'ana@example.com' },
      { ...booking, reference: '=HYPERLINK("x")' },
      { ...booking, reference: 'R'.repeat(65) },
      { ...booking, quote: 'ses_0123456789' },
      { ...booking, status: 'no_show' },
      { ...booking, booked_at: '2026-02-30T10:00:00Z' },
      { ...booking, booked_at: '2999-01-01T10:00:00Z' },
      { ...booking, amount: 412.5 },
      { ...booking, amount: '412.505' },
      { ...booking, currency: 'eur' },
      { reference: 'R-3' },
    ];
    const guest = { name: 'Ana', email: 'ana@example.com', __proto__: { x: 1 } };
    const { system } = await systemFor(t, (_, response) =>
      sendJson(response, page([...bad, { ...booking, guest, note: 'late arrival' }])),
    );
    const reports = await system.bookings?.(SINCE, patient);
    assert.deepEqual(reports, { bookings: [{ ...read, brand: system.brand }], leftOut: bad.length });
    assert.ok(!JSON.stringify(reports).includes('Ana'));
  });

  it('are not told by a server without the call', async (t) => {
    for (const status of [404, 405, 501]) {
      const { system } = await systemFor(t, (_, response) => response.writeHead(status).end('<p>no</p>'));
      assert.equal(await system.bookings?.(SINCE, patient), null);
    }
  });

  it('fail where a server fails, and never without end', async (t) => {
    const answers: Readonly<Record<string, [object | number, string, RegExp]>> = {
      'a refused token': [401, 'rejected', /401/],
      'a broken server': [500, 'server_error', /500/],
      'no list': [{ next_page: null }, 'garbled', /page of bookings/],
      'a page too large': [page(Array(1001).fill(booking)), 'garbled', /page of bookings/],
      'a body too large': [{ ...page([]), x: 'x'.repeat(1024 * 1024) }, 'too_large', /./],
      'a loop': [page([], 'again'), 'garbled', /form a loop/],
    };
    for (const [what, [answer, kind, message]] of Object.entries(answers)) {
      const { system } = await systemFor(t, (_, response) => {
        if (typeof answer === 'number') response.writeHead(answer).end();
        else sendJson(response, answer);
      });
      await assert.rejects(
        system.bookings?.(SINCE, patient) ?? Promise.resolve(),
        failureOf(kind, message),
        what,
      );
    }
    let pages = 0;
    const { system } = await systemFor(t, (_, response) => {
      pages += 1;
      sendJson(response, page([], String(pages)));
    });
    await assert.rejects(
      system.bookings?.(SINCE, patient) ?? Promise.resolve(),
      failureOf('too_large', /more than 50 pages/),
    );
    assert.equal(pages, 50);
  });

  it('fail when a later page is not there', async (t) => {
    const { system } = await systemFor(t, ({ url = '' }, response) => {
      if (url.includes('page=')) response.writeHead(404).end();
      else sendJson(response, page([booking], '2'));
    });
    await assert.rejects(
      system.bookings?.(SINCE, patient) ?? Promise.resolve(),
      failureOf('rejected', /404/),
    );
  });
});
