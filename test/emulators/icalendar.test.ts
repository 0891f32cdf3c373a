import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { aHome } from './homes.ts';
import { ICALENDAR_PRIVATE_VALUES } from './icalendar/feed.ts';
import { type IcalendarEmulator, type IcalendarOptions, startIcalendar } from './icalendar.ts';

const HOMES = [aHome({ id: 1 }), aHome({ id: 2 })];

describe('emulator of iCalendar feeds', () => {
  let time = 0;
  const started: IcalendarEmulator[] = [];
  beforeEach(() => {
    time = Date.parse('2027-01-01T12:00:00Z');
  });
  after(async () => {
    for (const emulator of started) await emulator.close();
  });

  async function start(options: Partial<IcalendarOptions> = {}) {
    const emulator = await startIcalendar({ homes: HOMES, now: () => time, ...options });
    started.push(emulator);
    return emulator;
  }

  const textOf = async (url: string) => (await fetch(url)).text();

  it('writes as Airbnb does: lines folded after 75 octets, reservations and blocks', async () => {
    const feeds = await start();
    feeds.book(1, '2027-03-10', '2027-03-14');
    feeds.block(1, '2027-04-01', '2027-04-03');
    const response = await fetch(feeds.feedUrl(1));
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const text = (await response.text()).replaceAll(
      /UID:[0-9a-f]{12}-[0-9a-f]{32}@airbnb\.com/g,
      'UID:one of Airbnb',
    );
    assert.deepEqual(text.split('\r\n'), [
      'BEGIN:VCALENDAR',
      'PRODID:-//Airbnb Inc//Hosting Calendar 1.0//EN',
      'CALSCALE:GREGORIAN',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:one of Airbnb',
      'DTSTAMP:20270101T120000Z',
      'DTSTART;VALUE=DATE:20270310',
      'DTEND;VALUE=DATE:20270314',
      'SUMMARY:Reserved',
      'DESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reservations/de',
      ' tails/HMPRIVATE77\\nPhone Number (Last 4 Digits): 9731',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:one of Airbnb',
      'DTSTAMP:20270101T120000Z',
      'DTSTART;VALUE=DATE:20270401',
      'DTEND;VALUE=DATE:20270403',
      'SUMMARY:Airbnb (Not available)',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('writes as Vrbo does: plain line ends, and the name of the guest', async () => {
    const feeds = await start({ dialectOf: () => 'vrbo' });
    feeds.book(2, '2027-03-10', '2027-03-14');
    feeds.block(2, '2027-03-20', '2027-03-21');
    const text = await textOf(feeds.feedUrl(2));
    assert.equal(text.includes('\r'), false);
    assert.match(
      text,
      /^BEGIN:VCALENDAR\nVERSION:2.0\nCALSCALE:GREGORIAN\nPRODID:-\/\/HomeAway.com, Inc.\/\/EN\n/,
    );
    assert.match(
      text,
      /DTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270314\nSUMMARY:Reserved - Gustavo Guest-Private\n/,
    );
    assert.match(text, /DTSTART;VALUE=DATE:20270320\nDTEND;VALUE=DATE:20270321\nSUMMARY:Blocked\n/);
    assert.match(text, /\nUID:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n/);
  });

  it('writes as Booking.com does: the same words for everything', async () => {
    const feeds = await start({ dialectOf: () => 'booking' });
    feeds.book(1, '2027-03-10', '2027-03-14');
    feeds.block(1, '2027-03-20', '2027-03-21');
    const text = await textOf(feeds.feedUrl(1));
    assert.match(text, /\r\nPRODID:-\/\/admin\.booking\.com\\, b\.v\.\/\/NONSGML v1\.0\/\/EN\r\n/);
    assert.match(text, /\r\nMETHOD:PUBLISH\r\n/);
    assert.deepEqual(text.match(/SUMMARY:.*/g), [
      'SUMMARY:CLOSED - Not available',
      'SUMMARY:CLOSED - Not available',
    ]);
    assert.match(text, /\r\nUID:[0-9a-f]{32}@booking\.com\r\n/);
  });

  it('tells about guests what nobody may keep', async () => {
    const text = { airbnb: '', vrbo: '' };
    for (const dialect of ['airbnb', 'vrbo'] as const) {
      const feeds = await start({ dialectOf: () => dialect });
      feeds.book(1, '2027-03-10', '2027-03-14');
      text[dialect] = (await textOf(feeds.feedUrl(1))).replaceAll(/\r?\n /g, '');
    }
    const { guest, confirmation, phone } = ICALENDAR_PRIVATE_VALUES;
    assert.ok(text.airbnb.includes(confirmation) && text.airbnb.includes(phone));
    assert.ok(text.vrbo.includes(guest));
  });

  it('can write times, in UTC or in a time zone that brings its rules along', async () => {
    const utc = await start({ dates: 'utc' });
    utc.book(1, '2027-03-10', '2027-03-14');
    assert.match(await textOf(utc.feedUrl(1)), /\r\nDTSTART:20270310T160000Z\r\nDTEND:20270314T100000Z\r\n/);
    const zoned = await start({ dates: 'zoned' });
    zoned.book(1, '2027-03-10', '2027-03-14');
    const text = await textOf(zoned.feedUrl(1));
    assert.match(
      text,
      /\r\nDTSTART;TZID=Europe\/Lisbon:20270310T160000\r\nDTEND;TZID=Europe\/Lisbon:20270314T100000\r\n/,
    );
    assert.match(text, /BEGIN:VTIMEZONE[\s\S]+RRULE:FREQ=YEARLY[\s\S]+END:VTIMEZONE/);
  });

  it('keeps the nights of a cancelled event free', async () => {
    const feeds = await start();
    feeds.book(1, '2027-03-10', '2027-03-14');
    feeds.addCancelled(1, '2027-05-01', '2027-05-05');
    assert.match(
      await textOf(feeds.feedUrl(1)),
      /DTSTART;VALUE=DATE:20270501\r\nDTEND;VALUE=DATE:20270505\r\nSTATUS:CANCELLED\r\n/,
    );
    assert.deepEqual(feeds.priceOf(1, '2027-03-12', '2027-03-15', 2), { refused: 'taken' });
    assert.deepEqual(feeds.priceOf(1, '2027-03-14', '2027-03-16', 2), { total: 314_40, currency: 'EUR' });
    assert.deepEqual(feeds.priceOf(1, '2027-05-01', '2027-05-03', 2), { total: 314_40, currency: 'EUR' });
  });

  it('is empty but whole without events', async () => {
    const feeds = await start({ dialectOf: () => 'vrbo' });
    assert.equal(
      await textOf(feeds.feedUrl(1)),
      'BEGIN:VCALENDAR\nVERSION:2.0\nCALSCALE:GREGORIAN\nPRODID:-//HomeAway.com, Inc.//EN\nEND:VCALENDAR\n',
    );
  });

  it('is found only at its secret address', async () => {
    const feeds = await start({ dialectOf: (id) => (id === 1 ? 'airbnb' : 'booking') });
    const statusOf = async (url: string) => (await fetch(url)).status;
    assert.deepEqual([await statusOf(feeds.feedUrl(1)), await statusOf(feeds.feedUrl(2))], [200, 200]);
    assert.equal(await statusOf(feeds.feedUrl(1).replace('secret', 'guess')), 404);
    assert.equal(await statusOf(feeds.feedUrl(1).replace('/1.ics', '/2.ics')), 404);
  });

  it('changes its tag only with the feed', async () => {
    const feeds = await start();
    const first = await fetch(feeds.feedUrl(1));
    await first.text();
    const tag = first.headers.get('etag') ?? '';
    const again = () => fetch(feeds.feedUrl(1), { headers: { 'if-none-match': tag } });
    time += 3_600_000;
    const unchanged = await again();
    assert.deepEqual(
      [unchanged.status, await unchanged.text(), unchanged.headers.get('etag')],
      [304, '', tag],
    );
    feeds.book(2, '2027-03-10', '2027-03-14');
    assert.equal((await again()).status, 304);
    feeds.book(1, '2027-03-10', '2027-03-14');
    const changed = await again();
    assert.equal(changed.status, 200);
    assert.match(await changed.text(), /\r\nDTSTAMP:20270101T130000Z\r\n/);
  });

  it('breaks in its own way', async () => {
    const feeds = await start({ limits: [{ requests: 3, perMs: 60_000 }] });
    feeds.book(1, '2027-03-10', '2027-03-14');
    const whole = await textOf(feeds.feedUrl(1));
    feeds.setFault('wrong_types');
    assert.match(
      await textOf(feeds.feedUrl(1)),
      /DTSTART;VALUE=DATE:some day\r\nDTEND;VALUE=DATE:some day\r\n/,
    );
    feeds.setFault('truncated_json');
    const half = await textOf(feeds.feedUrl(1));
    assert.equal(half, whole.slice(0, Math.floor(whole.length / 2)));
    feeds.setFault(null);
    const limited = await fetch(feeds.feedUrl(1));
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '60']);
    time += 60_000;
    feeds.setFault('expired_token');
    assert.equal((await fetch(feeds.feedUrl(1))).status, 404);
    assert.equal(await textOf(feeds.feedUrl(1)), whole);
  });
});
