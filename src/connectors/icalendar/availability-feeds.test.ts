import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { OwnedBytes, StoredDocument } from '../../parsing/owned-memory.ts';
import { parseDay } from '../../stay/day.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createAvailabilityFeeds, type FeedsReading } from './availability-feeds.ts';
import { createFeedPace, type FeedPace } from './feed-pace.ts';
import type { FetchedFeed, FetchFeed } from './fetch-feed.ts';
import {
  type AvailabilityFeed,
  availabilityFeed,
  createStoredNights,
  unpackNights,
} from './stored-nights.ts';

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
  const kept = new Map<string, OwnedBytes>();
  const stored = (name: string): StoredDocument => ({
    read: async () => kept.get(name)?.slice(),
    async save(document) {
      kept.set(name, document);
    },
  });
  const entries = async () => {
    const all = new Map<string, readonly number[]>();
    for (const document of kept.values()) {
      await unpackNights(document, (id, { nights }) => all.set(id, [...nights]));
    }
    return all;
  };
  return { kept, stored, entries };
}

type OnAnswer = Parameters<FetchFeed>[1]['onAnswer'];

/** Feeds that answer with a text, a failure, or never. */
function stage({
  disk = documents(),
  clock = createFakeClock(START),
  pace = createFeedPace(clock),
  brand = 'casas',
  isForeign = () => false,
  maxRemembered,
}: {
  readonly disk?: ReturnType<typeof documents>;
  readonly clock?: FakeClock;
  readonly pace?: FeedPace;
  readonly brand?: string;
  readonly isForeign?: (url: string) => boolean;
  readonly maxRemembered?: number;
} = {}) {
  const requests: { url: string; etag: string | null; at: number }[] = [];
  const told: string[] = [];
  const answers = new Map<string, (onAnswer: OnAnswer) => Promise<FetchedFeed>>();
  const publish = ({ url }: AvailabilityFeed, text: string, etag: string | null = null) =>
    answers.set(url, async () => ({ kind: 'feed', bytes: new TextEncoder().encode(text), etag }));
  const feeds = createAvailabilityFeeds({
    pace,
    isForeign,
    fetcher: {
      fetch(url, { etag, onAnswer }) {
        requests.push({ url, etag, at: clock.elapsed() });
        return (
          answers.get(url) ?? (() => Promise.reject(new BookingSystemFailure('unreachable', 'nobody')))
        )(onAnswer);
      },
      close: async () => undefined,
    },
    stored: createStoredNights({ stored: disk.stored, clock }),
    brand,
    clock,
    ...(maxRemembered === undefined ? {} : { maxRemembered }),
    intake: createInlineIntake(plainContext),
    maxAgeMs: MAX_AGE_MS,
    onLastFeedUsed: ({ kind }) => told.push(kind),
  });
  return { clock, requests, told, answers, publish, feeds, disk };
}

const manyFeeds = (count: number, query = '') =>
  Array.from({ length: count }, (_, at) =>
    availabilityFeed(`https://channel.example/${at}.ics?${query}`, 'Europe/Lisbon'),
  );
const takes = (reading: FeedsReading, night: string) =>
  reading.kind === 'known' ? reading.takes(day(night), day(night) + 1) : reading.failure.message;

describe('the availability feeds of a brand', () => {
  it('are read whole again once the clock is back that was ahead', async () => {
    const { clock, feeds, publish, answers, requests } = stage();
    publish(FEED, feedOf('20270610', '20271224'), '"1"');
    clock.stepWallClock(30 * 86_400_000);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-12-24'), true);
    clock.stepWallClock(-30 * 86_400_000);
    answers.set(FEED.url, () => Promise.reject(new BookingSystemFailure('unreachable', 'away')));
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-06-10'), 'away');
    await clock.advance(60_000);
    publish(FEED, feedOf('20270610', '20271224'), '"1"');
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-06-10'), true);
    assert.equal(requests.at(-1)?.etag, null);
  });

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
    const { feeds, answers, requests, clock } = stage();
    const answering = Promise.withResolvers<FetchedFeed>();
    answers.set(FEED.url, () => answering.promise);
    const leaving = new AbortController();
    const reading = feeds.read([FEED], 'price', leaving.signal);
    await clock.settle();
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
    assert.equal(disk.kept.size, 1);
    const nights = ['2027-07-10', '2027-07-12', '2027-08-01', '2027-08-02'].map(day);
    assert.deepEqual([...(await disk.entries())], [[FEED.id, nights]]);
    const [document = new Uint8Array()] = disk.kept.values();
    // The format marker, the id, the time of the doubt, the number of days, and the days: no bytes for anything else.
    assert.equal(document.length, 8 + 16 + 8 + 4 + 4 * nights.length);

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
    assert.equal(disk.kept.size, 0);
    await feeds.close();
    assert.equal(disk.kept.size, 1);
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
    assert.deepEqual([...(await disk.entries()).keys()], [OTHER.id]);
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

  it('are asked for at the pace of their host by all brands together, and each is read in the end', async () => {
    const clock = createFakeClock(START);
    const pace = createFeedPace(clock);
    const stages = ['casas', 'farol'].map((brand) => stage({ clock, pace, brand }));
    const readings = stages.map(({ feeds, publish }, at) => {
      const named = manyFeeds(400, `brand=${at}`);
      for (const feed of named) publish(feed, feedOf('20270710'));
      return Promise.all(named.map((feed) => feeds.read([feed], 'calendar', patient)));
    });
    await clock.advance(120_000);
    const times = stages.flatMap(({ requests }) => requests.map(({ at }) => at)).sort((a, b) => a - b);
    assert.equal(times.length, 800);
    // The share that live readings leave of twenty a second, and of six hundred a minute.
    for (const [most, perMs] of [
      [15, 1000],
      [450, 60_000],
    ] as const) {
      for (const [index, at] of times.slice(most).entries()) assert.ok(at - (times[index] ?? at) >= perMs);
    }
    for (const reading of (await Promise.all(readings)).flat())
      assert.equal(takes(reading, '2027-07-10'), true);
    await Promise.all(stages.map(({ feeds }) => feeds.close()));
    assert.equal(clock.pendingTimers, 0);
  });

  it('whose turn does not come in time are answered as those that hang, and are not asked for afterwards', async () => {
    const { feeds, publish, requests, clock } = stage();
    const named = manyFeeds(250);
    for (const feed of named) publish(feed, feedOf('20270710'));
    const leaving = new AbortController();
    const readings = Promise.all(named.map((feed) => feeds.read([feed], 'price', leaving.signal)));
    await clock.advance(3500);
    leaving.abort();
    const outcomes = (await readings).map((reading) => takes(reading, '2027-07-10'));
    const asked = requests.length;
    assert.ok(asked >= 45 && asked <= 70, String(asked));
    assert.deepEqual(
      outcomes.map(String),
      named.map((_, at) => (at < asked ? 'true' : 'it was not read in time')),
    );
    await clock.advance(60_000);
    assert.equal(requests.length, asked);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(takes(await feeds.read(named.slice(-1), 'price', patient), '2027-07-10'), true);
  });

  it('go on waiting for their turn when one of two who asked has left, and at once when a price needs them', async () => {
    const { feeds, publish, requests, clock } = stage();
    const named = manyFeeds(100);
    for (const feed of named) publish(feed, feedOf('20270710'));
    const others = Promise.all(named.map((feed) => feeds.read([feed], 'calendar', patient)));
    const leaving = new AbortController();
    publish(FEED, feedOf('20270710'));
    const left = feeds.read([FEED], 'calendar', leaving.signal);
    await clock.settle();
    const price = feeds.read([FEED], 'price', patient);
    leaving.abort();
    await left;
    assert.equal(takes(await price, '2027-07-10'), true);
    assert.ok(requests.length < 20);
    await clock.advance(10_000);
    await others;
    assert.equal(requests.length, 101);
  });

  it('are given up and asked for again in the same moment, and read', async () => {
    const { feeds, publish } = stage();
    publish(FEED, feedOf('20270710'));
    const leaving = new AbortController();
    const left = feeds.read([FEED], 'price', leaving.signal);
    leaving.abort();
    const next = feeds.read([FEED], 'price', patient);
    await left;
    assert.equal(takes(await next, '2027-07-10'), true);
  });

  for (const use of ['calendar', 'price'] as const) {
    it(`of a server on which none answers wait for it no longer, for a ${use} either`, async () => {
      const { feeds, answers, requests, clock, publish } = stage();
      const named = manyFeeds(100);
      for (const feed of named) answers.set(feed.url, () => new Promise<never>(() => undefined));
      const readings = Promise.all(named.map((feed) => feeds.read([feed], use, patient)));
      await clock.advance(50_000);
      const outcomes = (await readings).map((reading) => takes(reading, '2027-07-10'));
      // One more was in flight when the eighth failed to answer.
      assert.ok(requests.length >= 8 && requests.length <= 9, String(requests.length));
      assert.equal(outcomes.at(-1), 'the last feeds on its server gave no answer');
      const otherPort = availabilityFeed('https://channel.example:8443/1.ics', 'Europe/Lisbon');
      publish(otherPort, feedOf('20270710'));
      assert.equal(takes(await feeds.read([otherPort], use, patient), '2027-07-10'), true);
      for (const other of ['calendar', 'price'] as const) {
        const reading = await feeds.read(named.slice(-1), other, patient);
        assert.equal(takes(reading, '2027-07-10'), 'the last feeds on its server gave no answer');
      }
      await clock.advance(60_000);
      for (const feed of named) publish(feed, feedOf('20270710'));
      assert.equal(takes(await feeds.read(named.slice(-1), use, patient), '2027-07-10'), true);
    });
  }

  it('that end a connection without an answer count as silent when that took long, and quick ones hide no silence', async () => {
    const { feeds, answers, requests, clock } = stage();
    const named = manyFeeds(20);
    const refusal = () => Promise.reject(new BookingSystemFailure('unreachable', 'refused'));
    const slowly = () => new Promise<void>((resolve) => clock.after(9000, resolve)).then(refusal);
    for (const [at, { url }] of named.entries()) answers.set(url, at % 2 === 0 ? slowly : refusal);
    for (const feed of named) {
      const reading = feeds.read([feed], 'price', patient);
      await clock.advance(9000);
      await reading;
    }
    assert.equal(requests.length, 15);
  });

  it('are not asked for on a server of others, and use up nothing of the pace of its host', async () => {
    const { feeds, publish, requests, clock } = stage({ isForeign: (url) => url === OTHER.url });
    for (const feed of [FEED, OTHER]) publish(feed, feedOf('20270710'));
    for (const use of ['calendar', 'price'] as const) {
      const reading = await feeds.read([FEED, OTHER], use, patient);
      assert.match(String(takes(reading, '2027-07-20')), /^it is on a host of another brand, or of the API/);
    }
    assert.deepEqual(
      requests.map(({ url }) => url),
      [FEED.url],
    );
    assert.equal(clock.pendingTimers, 1, 'the nights of the one that was read are written soon');
  });

  for (const [status, retryAfter, pauseMs] of [
    [429, undefined, 180_000],
    [429, '10', 180_000],
    [429, '600', 600_000],
    [503, '600', 600_000],
    [503, 'Tue, 01 Jun 2027 12:10:00 GMT', 600_000],
    [429, '86400', 3_600_000],
  ] as const) {
    it(`are not asked for on a server of their brand that says ${status}, Retry-After: ${retryAfter}, for ${pauseMs} ms`, async () => {
      const clock = createFakeClock(START);
      const [casas, others] = [stage({ clock }), stage({ clock, brand: 'others' })];
      const [first, second, ...more] = manyFeeds(30);
      assert.ok(first && second);
      for (const { url } of [first, second, ...more]) {
        casas.answers.set(url, async (onAnswer) => {
          onAnswer(status, (name) => (name === 'retry-after' ? retryAfter : undefined));
          throw new BookingSystemFailure('rate_limited', 'too many', { status });
        });
      }
      // An answer to an earlier request does not end the pause.
      casas.publish(second, feedOf('20270710'));
      const readings = [first, second, ...more].map((feed) => casas.feeds.read([feed], 'calendar', patient));
      await clock.advance(0);
      await Promise.all(readings);
      const asked = casas.requests.length;
      assert.ok(asked <= 3, `${asked} requests`);
      await clock.advance(pauseMs - 1);
      const reading = await casas.feeds.read([first], 'price', patient);
      assert.equal(takes(reading, '2027-07-10'), 'its server has asked for a pause');
      assert.equal(casas.requests.length, asked);
      others.publish(first, feedOf('20270710'));
      assert.equal(takes(await others.feeds.read([first], 'price', patient), '2027-07-10'), true);
      await clock.advance(1);
      casas.publish(first, feedOf('20270710'));
      assert.equal(takes(await casas.feeds.read([first], 'price', patient), '2027-07-10'), true);
    });
  }

  it('are asked for on a server that says 503 without a time', async () => {
    const { feeds, answers, requests } = stage();
    for (const { url } of [FEED, OTHER]) {
      answers.set(url, async (onAnswer) => {
        onAnswer(503, () => undefined);
        throw new BookingSystemFailure('server_error', 'busy', { status: 503 });
      });
    }
    const sameServer = availabilityFeed(`${FEED.url}&2`, 'Europe/Lisbon');
    for (const feed of [FEED, sameServer]) await feeds.read([feed], 'price', patient);
    assert.equal(requests.length, 2);
  });

  it('are asked for on a server of which one in eight answers, however late, or with an error', async () => {
    const { feeds, answers, requests, clock } = stage();
    const named = manyFeeds(40);
    const late = () =>
      new Promise<void>((resolve) => clock.after(9000, resolve)).then(() =>
        Promise.reject(new BookingSystemFailure('server_error', 'busy')),
      );
    for (const [at, { url }] of named.entries()) {
      answers.set(url, at % 8 === 7 ? late : () => new Promise<never>(() => undefined));
    }
    for (const feed of named) {
      const reading = feeds.read([feed], 'price', patient);
      await clock.advance(10_000);
      await reading;
    }
    assert.equal(requests.length, 40);
  });

  it('are remembered up to a number, and whichever was not asked for for longest is forgotten, also on disk', async () => {
    const { feeds, publish, requests, disk } = stage({ maxRemembered: 3 });
    const named = manyFeeds(5);
    for (const feed of named) publish(feed, feedOf('20270710'));
    const ask = (at: number) => feeds.read(named.slice(at, at + 1), 'price', patient);
    for (const at of [0, 1, 2, 0, 3, 0, 4]) await ask(at);
    assert.equal(requests.length, 5);
    await ask(0);
    assert.equal(requests.length, 5);
    await ask(1);
    assert.equal(requests.length, 6);
    await feeds.close();
    assert.deepEqual([...(await disk.entries()).keys()].sort(), [0, 1, 4].map((at) => named[at]?.id).sort());
  });

  it('that a later card names stay, when the one before it was being looked through', async () => {
    const { feeds, publish, requests } = stage();
    publish(FEED, feedOf('20270710'));
    const earlier = feeds.retain(manyFeeds(20_000));
    await feeds.read([FEED], 'price', patient);
    const later = feeds.retain([FEED]);
    await Promise.all([earlier, later]);
    await feeds.read([FEED], 'price', patient);
    assert.equal(requests.length, 1);
  });

  it('that wait for their turn wait no longer when they are closed', async () => {
    const { feeds, requests, clock } = stage();
    const readings = Promise.all(manyFeeds(100).map((feed) => feeds.read([feed], 'calendar', patient)));
    await clock.settle();
    await feeds.close();
    const asked = requests.length;
    assert.deepEqual(new Set((await readings).map(({ kind }) => kind)), new Set(['unknown']));
    await clock.advance(60_000);
    assert.deepEqual([requests.length, clock.pendingTimers], [asked, 0]);
  });
});

const HOUR_MS = 3_600_000;
const FOUR_NIGHTS = ['20270710', '20270711', '20270720', '20270721'];

describe('a feed that loses all of its nights, or most of them at once', () => {
  /** A minute apart, so that each is a separate reading. */
  async function readLater(
    { feeds, clock }: ReturnType<typeof stage>,
    { use = 'calendar', after = 60_000, confirmedAt }: ReadLater = {},
  ) {
    await clock.advance(after);
    return feeds.read([FEED], use, patient, confirmedAt);
  }
  type ReadLater = { use?: 'calendar' | 'price'; after?: number; confirmedAt?: number };

  it('keeps them until a reading six hours later agrees, for calendars and for prices', async () => {
    for (const use of ['calendar', 'price'] as const) {
      for (const left of [[], FOUR_NIGHTS.slice(0, 1)]) {
        const scene = stage();
        scene.publish(FEED, feedOf(...FOUR_NIGHTS));
        await scene.feeds.read([FEED], use, patient);
        scene.publish(FEED, feedOf(...left));
        const first = await readLater(scene, { use });
        assert.equal(takes(first, '2027-07-20'), true);
        assert.deepEqual(first.kind === 'known' && first.lost, [
          { since: START + 60_000, lost: 4 - left.length, of: 4 },
        ]);
        // The number of readings until then does not matter.
        for (const after of [60_000, 3 * HOUR_MS, 3 * HOUR_MS - 60_001]) {
          assert.equal(takes(await readLater(scene, { use, after }), '2027-07-20'), true);
        }
        const agreed = await readLater(scene, { use });
        assert.equal(takes(agreed, '2027-07-20'), false);
        assert.equal(takes(agreed, '2027-07-10'), left.length > 0);
        assert.deepEqual(agreed.kind === 'known' && agreed.lost, []);
      }
    }
  });

  it('takes what it takes anew meanwhile, and begins again when the nights were back', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf(...FOUR_NIGHTS));
    await scene.feeds.read([FEED], 'price', patient);
    scene.publish(FEED, feedOf('20270805'));
    const lost = await readLater(scene, { use: 'price' });
    assert.deepEqual([takes(lost, '2027-07-10'), takes(lost, '2027-08-05')], [true, true]);
    scene.publish(FEED, feedOf(...FOUR_NIGHTS, '20270805'));
    const back = await readLater(scene, { use: 'price', after: 5 * HOUR_MS });
    assert.deepEqual(back.kind === 'known' && back.lost, []);
    scene.publish(FEED, feedOf());
    await readLater(scene, { use: 'price' });
    assert.equal(takes(await readLater(scene, { use: 'price', after: 5 * HOUR_MS }), '2027-07-10'), true);
  });

  it('agrees with an answer that it is unchanged too, and an error agrees with nothing', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf(...FOUR_NIGHTS), '"full"');
    await scene.feeds.read([FEED], 'calendar', patient);
    scene.publish(FEED, feedOf(), '"empty"');
    await readLater(scene);
    scene.answers.set(FEED.url, async () => ({ kind: 'unchanged' }));
    assert.equal(takes(await readLater(scene), '2027-07-10'), true);
    assert.equal(scene.requests.at(-1)?.etag, '"empty"');
    const unchanged = scene.answers.get(FEED.url);
    scene.answers.delete(FEED.url);
    assert.equal(takes(await readLater(scene, { after: 6 * HOUR_MS }), '2027-07-10'), 'nobody');
    if (unchanged) scene.answers.set(FEED.url, unchanged);
    assert.equal(takes(await readLater(scene), '2027-07-10'), false);
  });

  it('is free at once where one booking is cancelled or moved, or nights are over', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf('20270602', '20270603', '20270710'));
    await scene.feeds.read([FEED], 'calendar', patient);
    scene.publish(FEED, feedOf('20270710'));
    assert.equal(takes(await readLater(scene), '2027-06-02'), false);
    scene.publish(FEED, feedOf('20270601', '20270711'));
    assert.equal(takes(await readLater(scene), '2027-07-10'), false);
    // At noon in Lisbon on the second of June, the first is over.
    scene.publish(FEED, feedOf('20270711'));
    const over = await readLater(scene, { after: 24 * HOUR_MS });
    assert.deepEqual(over.kind === 'known' && over.lost, []);
  });

  it('is empty from the beginning for a new home', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf());
    const reading = await scene.feeds.read([FEED], 'calendar', patient);
    assert.equal(takes(reading, '2027-07-10'), false);
    assert.deepEqual(reading.kind === 'known' && reading.lost, []);
  });

  it('says nothing about the other feeds of the home', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf(...FOUR_NIGHTS));
    scene.publish(OTHER, feedOf('20270712', '20270713', '20270725'));
    await scene.feeds.read([FEED, OTHER], 'calendar', patient);
    scene.publish(FEED, feedOf());
    scene.publish(OTHER, feedOf('20270712', '20270713'));
    await scene.clock.advance(60_000);
    const reading = await scene.feeds.read([FEED, OTHER], 'calendar', patient);
    assert.deepEqual(
      ['2027-07-10', '2027-07-12', '2027-07-25'].map((night) => takes(reading, night)),
      [true, true, false],
    );
    assert.deepEqual(reading.kind === 'known' && reading.lost.map(({ lost }) => lost), [4]);
  });

  it('keeps them over a restart, and since when', async () => {
    const disk = documents();
    const before = stage({ disk });
    before.publish(FEED, feedOf(...FOUR_NIGHTS));
    await before.feeds.read([FEED], 'calendar', patient);
    before.publish(FEED, feedOf());
    await readLater(before);
    await before.feeds.close();

    const after = stage({ disk, clock: createFakeClock(START + 3 * HOUR_MS) });
    after.publish(FEED, feedOf());
    assert.equal(takes(await after.feeds.read([FEED], 'price', patient), '2027-07-10'), true);
    await after.feeds.close();

    const last = stage({ disk, clock: createFakeClock(START + 6 * HOUR_MS + 60_000) });
    last.publish(FEED, feedOf());
    assert.equal(takes(await last.feeds.read([FEED], 'price', patient), '2027-07-10'), false);
    await last.feeds.close();

    const free = stage({ disk, clock: createFakeClock(START + 7 * HOUR_MS) });
    const restored = await free.feeds.read([FEED], 'calendar', patient);
    assert.equal(takes(restored, '2027-07-10'), false);
  });

  it('is believed at once when the owner confirms it, and the next loss is not', async () => {
    const scene = stage();
    scene.publish(FEED, feedOf(...FOUR_NIGHTS));
    await scene.feeds.read([FEED], 'calendar', patient);
    scene.publish(FEED, feedOf());
    await readLater(scene, { confirmedAt: START });
    const confirmedAt = scene.clock.now();
    assert.equal(takes(await scene.feeds.read([FEED], 'price', patient, START), '2027-07-10'), true);
    assert.equal(takes(await scene.feeds.read([FEED], 'price', patient, confirmedAt), '2027-07-10'), false);
    await scene.feeds.close();
    assert.deepEqual([...(await scene.disk.entries())], [[FEED.id, []]]);

    const later = stage({ clock: scene.clock });
    later.publish(FEED, feedOf(...FOUR_NIGHTS));
    await later.feeds.read([FEED], 'calendar', patient, confirmedAt);
    later.publish(FEED, feedOf());
    assert.equal(takes(await readLater(later, { confirmedAt }), '2027-07-10'), true);
  });

  it('is judged by the node that leads the brand alone, which goes on where the last one stopped', async () => {
    const disk = documents();
    const [first, second] = [stage({ disk }), stage({ disk })];
    second.feeds.leads(false);
    for (const { publish } of [first, second]) publish(FEED, feedOf(...FOUR_NIGHTS));
    assert.equal(takes(await second.feeds.read([FEED], 'price', patient), '2027-07-10'), true);
    await first.feeds.read([FEED], 'calendar', patient);
    for (const { publish } of [first, second]) publish(FEED, feedOf());
    await readLater(first);
    // The calendars of the leader do not offer the nights, so the others need not doubt them.
    assert.equal(takes(await readLater(second, { use: 'price' }), '2027-07-10'), false);
    await second.clock.advance(20_000);
    await first.feeds.close();
    assert.deepEqual((await disk.entries()).get(FEED.id)?.length, 4);

    second.feeds.leads(true);
    const taken = await second.feeds.read([FEED], 'calendar', patient);
    assert.equal(takes(taken, '2027-07-10'), true);
    assert.deepEqual(taken.kind === 'known' && taken.lost.map(({ since }) => since), [START + 60_000]);
  });
});
