import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { OwnedBytes, StoredDocument } from '../../parsing/owned-memory.ts';
import { jsonIn } from '../../parsing/reading.ts';
import { systemRandom } from '../../random.ts';
import { parseDay } from '../../stay/day.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createAvailabilityFeeds, type FeedsReading, takesANight } from './availability-feeds.ts';
import { createFeedPace, type FeedPace, type FetchedFeed, type FetchFeed } from './fetch-feed.ts';
import { type AvailabilityFeed, availabilityFeed, createStoredNights } from './stored-nights.ts';

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
  const saved = new Map<string, OwnedBytes>();
  const stored = (name: string): StoredDocument => ({
    read: async () => saved.get(name)?.slice(),
    save: async (document) => void saved.set(name, document),
  });
  return { saved, stored };
}

type OnAnswer = Parameters<FetchFeed>[1]['onAnswer'];

/** Feeds that answer with a text, a failure, or never. */
function stage({
  disk = documents(),
  clock = createFakeClock(START),
  pace = createFeedPace({ clock, random: systemRandom }),
  brand = 'casas',
  isForeign = () => false,
}: {
  readonly disk?: ReturnType<typeof documents>;
  readonly clock?: FakeClock;
  readonly pace?: FeedPace;
  readonly brand?: string;
  readonly isForeign?: (url: string) => boolean;
} = {}) {
  const requests: { url: string; etag: string | null; at: number }[] = [];
  const fallbacks: string[] = [];
  const answers = new Map<string, (onAnswer: OnAnswer) => Promise<FetchedFeed>>();
  const publish = ({ url }: AvailabilityFeed, text: string, etag: string | null = null) =>
    answers.set(url, async () => ({ kind: 'feed', bytes: new TextEncoder().encode(text), etag }));
  const feeds = createAvailabilityFeeds({
    pace,
    isForeign,
    fetcher: {
      fetch(url, { etag, onAnswer }) {
        requests.push({ url, etag, at: clock.elapsed() });
        const answer = answers.get(url);
        return answer
          ? answer(onAnswer)
          : Promise.reject(new BookingSystemFailure('unreachable', 'no answer'));
      },
      close: async () => undefined,
    },
    stored: createStoredNights({ stored: disk.stored, clock }),
    brand,
    clock,
    intake: createInlineIntake(plainContext),
    maxAgeMs: MAX_AGE_MS,
    onLastFeedUsed: ({ kind }) => fallbacks.push(kind),
  });
  return { clock, requests, fallbacks, answers, publish, feeds, disk };
}

const hang = () => new Promise<never>(() => undefined);
const manyFeeds = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    availabilityFeed(`https://channel.example/${at}.ics`, 'Europe/Lisbon'),
  );
/** Whether the night is taken, or why that is unknown. */
const takes = (reading: FeedsReading, night: string) =>
  reading.kind === 'known'
    ? takesANight(reading.ranges, day(night), day(night) + 1)
    : reading.failure.message;

describe('the availability feeds of a brand', () => {
  it('take the nights of each of them that are not over', async () => {
    const { feeds, publish } = stage();
    publish(FEED, feedOf('20200101', '20270531', '20270710'));
    publish(OTHER, feedOf('20270712'));
    const reading = await feeds.read([FEED, OTHER], 'price', patient);
    assert.deepEqual(
      ['2027-07-09', '2027-07-10', '2027-07-11', '2027-07-12', '2027-07-13'].map((night) =>
        takes(reading, night),
      ),
      [false, true, false, true, false],
    );
    assert.ok(reading.kind === 'known');
    assert.equal(takesANight(reading.ranges, day('2027-07-11'), day('2027-07-12')), false);
    assert.deepEqual([...(reading.ranges[0] ?? [])].slice(0, 2), [day('2027-05-31'), day('2027-06-01')]);
  });

  it('are read once a minute for all callers, and asked for what has changed', async () => {
    const { feeds, publish, answers, clock, requests } = stage();
    publish(FEED, feedOf('20270710'), '"1"');
    await Promise.all([feeds.read([FEED], 'calendar', patient), feeds.read([FEED, FEED], 'price', patient)]);
    await clock.advance(59_999);
    await feeds.read([FEED], 'price', patient);
    assert.equal(requests.length, 1);
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

  it('that were read while the clock was ahead lack nights, so they count for nothing', async () => {
    const { clock, feeds, publish, requests } = stage();
    publish(FEED, feedOf('20270610', '20271224'), '"1"');
    clock.stepWallClock(30 * 86_400_000);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-12-24'), true);
    clock.stepWallClock(-30 * 86_400_000);
    assert.equal((await feeds.read([FEED], 'price', patient)).kind, 'unknown');
    await clock.advance(60_000);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-06-10'), true);
    assert.equal(requests.at(-1)?.etag, null);
  });

  it('count for a while after they could be read last, and then no longer', async () => {
    const { feeds, publish, answers, clock, fallbacks } = stage();
    publish(FEED, feedOf('20270710'));
    await feeds.read([FEED], 'calendar', patient);
    answers.delete(FEED.url);
    await clock.advance(MAX_AGE_MS);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-10'), true);
    assert.deepEqual(fallbacks, ['unreachable']);
    await clock.advance(1);
    for (const use of ['price', 'calendar'] as const) {
      assert.equal(takes(await feeds.read([FEED], use, patient), '2027-07-10'), 'no answer');
    }
    publish(FEED, feedOf('20270711'));
    await clock.advance(60_000);
    assert.equal(takes(await feeds.read([FEED], 'price', patient), '2027-07-10'), false);
  });

  it('with a fault are not read, and the reason names the line and no guest', async () => {
    const { feeds, publish } = stage();
    publish(FEED, feedOf('20270710').replace('END:VEVENT', 'RRULE:FREQ=DAILY\r\nEND:VEVENT'));
    const reading = await feeds.read([FEED], 'calendar', patient);
    assert.ok(reading.kind === 'unknown' && reading.failure.kind === 'garbled');
    assert.match(reading.failure.message, /^line 5: RRULE: the event repeats/);
    assert.doesNotMatch(reading.failure.message, /Maria|secret/);
  });

  it('that hang keep no caller waiting beyond its signal, and end after ten seconds', async () => {
    const { feeds, answers, requests, clock } = stage();
    answers.set(FEED.url, hang);
    const leaving = new AbortController();
    const reading = feeds.read([FEED], 'price', leaving.signal);
    await clock.settle();
    leaving.abort();
    assert.equal(takes(await reading, '2027-07-10'), 'it was not read in time');
    const later = feeds.read([FEED], 'price', patient);
    await clock.advance(10_000);
    assert.match(String(takes(await later, '2027-07-10')), /no answer within 10000 ms/);
    assert.equal(requests.length, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('survive a restart as nights alone: good for a calendar, but not for a price', async () => {
    const disk = documents();
    const before = stage({ disk });
    before.publish(FEED, feedOf('20270710', '20270711', '20270801'));
    await before.feeds.read([FEED], 'calendar', patient);
    await before.clock.advance(10_000);
    const [document, ...others] = [...disk.saved.values()];
    const nights = ['2027-07-10', '2027-07-12', '2027-08-01', '2027-08-02'].map(day);
    assert.deepEqual([document && jsonIn(document), others], [[[FEED.id, null, nights]], []]);

    const after = stage({ disk });
    assert.equal(takes(await after.feeds.read([FEED], 'calendar', patient), '2027-07-11'), true);
    assert.equal(takes(await after.feeds.read([FEED], 'price', patient), '2027-07-11'), 'no answer');
    await after.clock.advance(MAX_AGE_MS + 1);
    assert.equal(takes(await after.feeds.read([FEED], 'calendar', patient), '2027-07-11'), 'no answer');
  });

  it('that are no longer named are forgotten, also on disk', async () => {
    const { feeds, publish, disk } = stage();
    for (const feed of [FEED, OTHER]) publish(feed, feedOf('20270710'));
    await feeds.read([FEED, OTHER], 'calendar', patient);
    await feeds.retain([OTHER]);
    await feeds.close();
    const ids = [...disk.saved.values()].flatMap((document) => jsonIn(document) as [string][]);
    assert.deepEqual(
      ids.map(([id]) => id),
      [OTHER.id],
    );
  });

  it('are asked for at the pace of their host by all brands together, and each is read in the end', async () => {
    const clock = createFakeClock(START);
    const pace = createFeedPace({ clock, random: systemRandom });
    const stages = ['casas', 'farol'].map((brand) => stage({ clock, pace, brand }));
    const readings = stages.map(async ({ feeds, publish }) => {
      const named = manyFeeds(400);
      for (const feed of named) publish(feed, feedOf('20270710'));
      return Promise.all(named.map((feed) => feeds.read([feed], 'calendar', patient)));
    });
    await clock.advance(120_000);
    const times = stages.flatMap(({ requests }) => requests.map(({ at }) => at)).sort((a, b) => a - b);
    assert.equal(times.length, 800);
    for (const [most, perMs] of [
      [20, 1000],
      [600, 60_000],
    ] as const) {
      for (const [index, at] of times.slice(most).entries()) {
        assert.ok(at - (times[index] ?? at) >= perMs, `${most} in ${perMs} ms`);
      }
    }
    for (const reading of (await Promise.all(readings)).flat())
      assert.equal(takes(reading, '2027-07-10'), true);
    await Promise.all(stages.map(({ feeds }) => feeds.close()));
    assert.equal(clock.pendingTimers, 0);
  });

  it('that hang are given up for a minute with their host, and the feeds of other brands are read there', async () => {
    const clock = createFakeClock(START);
    const pace = createFeedPace({ clock, random: systemRandom });
    const [casas, farol] = [stage({ clock, pace }), stage({ clock, pace, brand: 'farol' })];
    const named = manyFeeds(50);
    for (const { url } of named) casas.answers.set(url, hang);
    farol.publish(FEED, feedOf('20270710'));
    const readings = Promise.all(named.map((feed) => casas.feeds.read([feed], 'calendar', patient)));
    await clock.advance(10_000);
    const other = farol.feeds.read([FEED], 'price', patient);
    await clock.advance(40_000);
    assert.equal(takes(await other, '2027-07-10'), true);
    assert.ok(casas.requests.length <= 12, `${casas.requests.length} requests`);
    const reading = (await readings).at(-1);
    assert.equal(reading && takes(reading, '2027-07-10'), 'the last feeds on its server gave no answer');
    await clock.advance(60_000);
    for (const feed of named) casas.publish(feed, feedOf('20270710'));
    assert.equal(takes(await casas.feeds.read(named.slice(-1), 'price', patient), '2027-07-10'), true);
  });

  it('are not asked for on a server of others, and use up nothing of the pace of its host', async () => {
    const { feeds, publish, requests } = stage({ isForeign: (url) => url === OTHER.url });
    for (const feed of [FEED, OTHER]) publish(feed, feedOf('20270710'));
    const reading = await feeds.read([FEED, OTHER], 'price', patient);
    assert.match(String(takes(reading, '2027-07-20')), /^it is on a host of another brand, or of the API/);
    assert.deepEqual(
      requests.map(({ url }) => url),
      [FEED.url],
    );
  });

  it('pause with their host after 429, or 503 with a time, at least three minutes and at most an hour', async () => {
    for (const [status, retryAfter, pauseMs] of [
      [429, undefined, 180_000],
      [429, '10', 180_000],
      [429, '600', 600_000],
      [503, 'Tue, 01 Jun 2027 12:10:00 GMT', 600_000],
      [429, '86400', 3_600_000],
      [503, undefined, 0],
    ] as const) {
      const what = `${status}, Retry-After: ${retryAfter}`;
      const { feeds, answers, publish, requests, clock } = stage();
      const [first, second] = manyFeeds(2);
      assert.ok(first && second);
      answers.set(first.url, async (onAnswer) => {
        onAnswer(status, (name) => (name === 'retry-after' ? retryAfter : undefined));
        throw new BookingSystemFailure('rate_limited', 'too many', { status });
      });
      await feeds.read([first], 'calendar', patient);
      publish(first, feedOf('20270710'));
      publish(second, feedOf('20270710'));
      if (pauseMs > 0) {
        const paused = await feeds.read([second], 'price', patient);
        assert.ok(paused.kind === 'unknown' && paused.failure.kind === 'rate_limited', what);
        await clock.advance(pauseMs - 4000);
        assert.equal((await feeds.read([first], 'price', patient)).kind, 'unknown', what);
        assert.equal(requests.length, 1, what);
        await clock.advance(64_000);
      }
      assert.equal(takes(await feeds.read([second], 'price', patient), '2027-07-10'), true, what);
    }
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
    { use = 'calendar', after = 60_000 }: { use?: 'calendar' | 'price'; after?: number } = {},
  ) {
    await clock.advance(after);
    return feeds.read([FEED], use, patient);
  }

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
    assert.equal(takes(await readLater(scene, { after: 6 * HOUR_MS }), '2027-07-10'), 'no answer');
    if (unchanged) scene.answers.set(FEED.url, unchanged);
    assert.equal(takes(await readLater(scene), '2027-07-10'), false);
  });

  it('keeps them over a restart, and since when', async () => {
    const disk = documents();
    const before = stage({ disk });
    before.publish(FEED, feedOf(...FOUR_NIGHTS));
    await before.feeds.read([FEED], 'calendar', patient);
    before.publish(FEED, feedOf());
    await readLater(before);
    await before.feeds.close();
    for (const [at, isTaken] of [
      [3 * HOUR_MS, true],
      [6 * HOUR_MS + 60_000, false],
    ] as const) {
      const after = stage({ disk, clock: createFakeClock(START + at) });
      after.publish(FEED, feedOf());
      assert.equal(takes(await after.feeds.read([FEED], 'price', patient), '2027-07-10'), isTaken);
      await after.feeds.close();
    }
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

    second.feeds.leads(true);
    const taken = await second.feeds.read([FEED], 'calendar', patient);
    assert.equal(takes(taken, '2027-07-10'), true);
    assert.deepEqual(taken.kind === 'known' && taken.lost.map(({ since }) => since), [START + 60_000]);
  });
});
