import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import type { StoredDocument } from '../connector.ts';
import { createInlineIntake } from '../intake/inline-intake.ts';
import { type AvailabilityFeed, availabilityFeed } from './availability-feed.ts';
import { createAvailabilityFeeds, type FeedsReading } from './availability-feeds.ts';
import type { FetchedFeed } from './fetch-feed.ts';
import { createStoredNights } from './stored-nights.ts';

const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;
const START = Date.UTC(2027, 5, 1, 12);
const MAX_AGE_MS = 300_000;
const FEED = availabilityFeed('https://channel.example/ical/1.ics?s=secret', 'Europe/Lisbon');
const OTHER = availabilityFeed('https://other.example/1.ics', 'Europe/Lisbon');

const feedOf = (...starts: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    ...starts.flatMap((start) => ['BEGIN:VEVENT', 'SUMMARY:Maria Antunes', `DTSTART:${start}`, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');

function documents() {
  const texts = new Map<string, string>();
  const stored = (name: string): StoredDocument => ({
    read: async () => {
      const text = texts.get(name);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    async save(document) {
      texts.set(name, new TextDecoder().decode(document));
    },
  });
  return { texts, stored };
}

/** Feeds that answer with a text, a failure, or never. */
function stage({ disk = documents() } = {}) {
  const clock = createFakeClock(START);
  const requests: { url: string; etag: string | null }[] = [];
  const told: string[] = [];
  const answers = new Map<string, () => Promise<FetchedFeed>>();
  const publish = ({ url }: AvailabilityFeed, text: string, etag: string | null = null) =>
    answers.set(url, async () => ({ kind: 'feed', bytes: new TextEncoder().encode(text), etag }));
  const feeds = createAvailabilityFeeds({
    fetcher: {
      fetch(url, { etag }) {
        requests.push({ url, etag });
        return (
          answers.get(url) ?? (() => Promise.reject(new BookingSystemFailure('unreachable', 'nobody')))
        )();
      },
      close: async () => undefined,
    },
    stored: createStoredNights({ stored: disk.stored, clock }),
    brand: 'casas',
    clock,
    intake: createInlineIntake(plainContext),
    maxAgeMs: MAX_AGE_MS,
    onLastFeedUsed: ({ kind }) => told.push(kind),
  });
  return { clock, requests, told, answers, publish, feeds, disk };
}

const takes = (reading: FeedsReading, night: string) =>
  reading.kind === 'known' ? reading.takes(day(night), day(night) + 1) : reading.failure.message;

describe('the availability feeds of a brand', () => {
  it('take the nights of each of them', async () => {
    const { feeds, publish } = stage();
    publish(FEED, feedOf('20270710'));
    publish(OTHER, feedOf('20270712'));
    const reading = await feeds.read([FEED, OTHER], 'price', patient);
    assert.deepEqual(
      ['2027-07-09', '2027-07-10', '2027-07-11', '2027-07-12', '2027-07-13'].map((night) =>
        takes(reading, night),
      ),
      [false, true, false, true, false],
    );
    assert.ok(reading.kind === 'known' && !reading.takes(day('2027-07-11'), day('2027-07-12')));
    assert.ok(reading.kind === 'known' && reading.takes(day('2027-07-01'), day('2027-07-31')));
  });

  it('are read once a minute, however many ask', async () => {
    const { feeds, publish, clock, requests } = stage();
    publish(FEED, feedOf('20270710'));
    await Promise.all([feeds.read([FEED], 'calendar', patient), feeds.read([FEED, FEED], 'price', patient)]);
    await feeds.read([FEED], 'price', patient);
    await clock.advance(59_999);
    await feeds.read([FEED], 'price', patient);
    assert.equal(requests.length, 1);
    publish(FEED, feedOf('20270710', '20270720'));
    await clock.advance(1);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-20'), true);
    assert.equal(requests.length, 2);
  });

  it('are asked for what has changed, and what has not is as good as new', async () => {
    const { feeds, publish, answers, clock, requests } = stage();
    publish(FEED, feedOf('20270710'), '"1"');
    await feeds.read([FEED], 'price', patient);
    answers.set(FEED.url, async () => ({ kind: 'unchanged' }));
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(60_000);
      assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-10'), true);
    }
    assert.deepEqual(
      requests.map(({ etag }) => etag),
      [null, ...Array.from({ length: 10 }, () => '"1"')],
    );
  });

  it('count for a while after they could be read last, and then no longer', async () => {
    const { feeds, publish, answers, clock, told } = stage();
    publish(FEED, feedOf('20270710'));
    await feeds.read([FEED], 'calendar', patient);
    answers.delete(FEED.url);
    await clock.advance(MAX_AGE_MS);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-10'), true);
    assert.deepEqual(told, ['unreachable']);
    await clock.advance(1);
    for (const use of ['price', 'calendar'] as const) {
      assert.equal(takes(await feeds.read([FEED], use, patient), '2027-07-10'), 'nobody');
    }
    publish(FEED, feedOf('20270711'));
    await clock.advance(60_000);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-10'), false);
  });

  it('that repeat an event are not read, and the reason names the line and nobody', async () => {
    const { feeds, publish, clock } = stage();
    publish(FEED, feedOf('20270710'));
    await feeds.read([FEED], 'price', patient);
    publish(FEED, feedOf('20270710').replace('END:VEVENT', 'RRULE:FREQ=DAILY\r\nEND:VEVENT'));
    await clock.advance(MAX_AGE_MS + 1);
    const reading = await feeds.read([FEED], 'calendar', patient);
    assert.ok(reading.kind === 'unknown');
    assert.equal(reading.failure.kind, 'garbled');
    assert.match(reading.failure.message, /^line 5: RRULE: the event repeats/);
    assert.doesNotMatch(reading.failure.message, /Maria|secret/);
  });

  it('that hang keep nobody waiting beyond the signal, and fail for the next ones after ten seconds', async () => {
    const { feeds, answers, clock } = stage();
    answers.set(FEED.url, () => new Promise<never>(() => undefined));
    const leaving = new AbortController();
    const reading = feeds.read([FEED], 'price', leaving.signal);
    leaving.abort();
    assert.equal(takes(await reading, '2027-07-10'), 'it was not read in time');
    const later = feeds.read([FEED], 'price', patient);
    await clock.advance(10_000);
    assert.match(String(takes(await later, '2027-07-10')), /no answer within 10000 ms/);
    assert.equal(clock.pendingTimers, 0);
  });

  it('go on being read when the one who asked has left', async () => {
    const { feeds, answers, requests } = stage();
    const answering = Promise.withResolvers<FetchedFeed>();
    answers.set(FEED.url, () => answering.promise);
    const leaving = new AbortController();
    const reading = feeds.read([FEED], 'price', leaving.signal);
    leaving.abort();
    await reading;
    const next = feeds.read([FEED], 'price', patient);
    answering.resolve({ kind: 'feed', bytes: new TextEncoder().encode(feedOf('20270710')), etag: null });
    assert.equal(takes(await next, '2027-07-10'), true);
    assert.equal(requests.length, 1);
  });

  it('survive a restart as nights alone: good for a calendar, but not for a price', async () => {
    const disk = documents();
    const before = stage({ disk });
    before.publish(FEED, feedOf('20270710', '20270711', '20270801'));
    await before.feeds.read([FEED], 'calendar', patient);
    await before.clock.advance(10_000);
    const [text = ''] = disk.texts.values();
    assert.equal(disk.texts.size, 1);
    assert.match(text, /^\{"[0-9a-f]{32}":\[\d{5},\d{5},\d{5},\d{5}\]\}$/);
    assert.doesNotMatch([...disk.texts].join(), /channel|secret|Maria/);

    const after = stage({ disk });
    assert.equal(takes(await after.feeds.read([FEED], 'calendar', patient), '2027-07-11'), true);
    assert.equal(takes(await after.feeds.read([FEED], 'price', patient), '2027-07-11'), 'nobody');
    await after.clock.advance(MAX_AGE_MS + 1);
    assert.equal(takes(await after.feeds.read([FEED], 'calendar', patient), '2027-07-11'), 'nobody');
  });

  it('write what they know when they are closed, and then read no more', async () => {
    const { feeds, publish, disk, requests, clock } = stage();
    publish(FEED, feedOf('20270710'));
    await feeds.read([FEED], 'calendar', patient);
    assert.equal(disk.texts.size, 0);
    await feeds.close();
    assert.equal(disk.texts.size, 1);
    await clock.advance(60_000);
    await feeds.read([FEED], 'calendar', patient);
    assert.equal(requests.length, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('that are no longer named are forgotten, also on disk', async () => {
    const { feeds, publish, disk, requests } = stage();
    publish(FEED, feedOf('20270710'));
    publish(OTHER, feedOf('20270710'));
    await feeds.read([FEED, OTHER], 'calendar', patient);
    await feeds.retain([OTHER]);
    await feeds.close();
    const kept = [...disk.texts.values()].flatMap((text) => Object.keys(JSON.parse(text)));
    assert.equal(kept.length, 1);
    assert.equal(requests.length, 2);
  });

  it('forget the nights that are over', async () => {
    const { feeds, publish } = stage();
    publish(FEED, feedOf('20200101', '20270530', '20270531'));
    const reading = await feeds.read([FEED], 'calendar', patient);
    assert.deepEqual(reading.kind === 'known' && reading.ranges.map((nights) => [...nights]), [
      [day('2027-05-30'), day('2027-06-01')],
    ]);
  });
});
