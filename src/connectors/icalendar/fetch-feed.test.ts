import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { HttpClient, OpenClient } from '../../outbound/http-client.ts';
import { createFeedFetcher } from './fetch-feed.ts';

const patient = new AbortController().signal;
type Answer = Awaited<ReturnType<HttpClient['send']>>;

/** Servers that answer immediately, except for slow ones, which answer on a signal of the test. */
function stage(slow: readonly string[]) {
  const [opened, closed]: [string[], string[]] = [[], []];
  const answers = new Map(slow.map((origin) => [origin, Promise.withResolvers<Answer>()]));
  const answer: Answer = {
    kind: 'document',
    status: 200,
    bytes: new Uint8Array(),
    digest: '',
    etag: null,
    header: () => undefined,
  };
  const openClient: OpenClient = ({ baseUrl }) => {
    opened.push(baseUrl);
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    return {
      send: () => Promise.race([answers.get(baseUrl)?.promise ?? Promise.resolve(answer), ended.promise]),
      async close() {
        closed.push(baseUrl);
        ended.reject(new BookingSystemFailure('unreachable', 'the client was closed'));
      },
    };
  };
  const fetcher = createFeedFetcher(openClient, []);
  return {
    opened,
    closed,
    fetcher,
    fetch: (origin: string) =>
      fetcher.fetch(`${origin}/1.ics`, { etag: null, signal: patient, onAnswer: () => undefined }),
    answerNow: (origin: string) => answers.get(origin)?.resolve(answer),
  };
}

const originsOf = (count: number) => Array.from({ length: count }, (_, at) => `https://h${at}.example`);

describe('the fetcher of feeds', () => {
  it('keeps the clients of the 32 servers that were asked last, once all have answered', async () => {
    const origins = originsOf(40);
    const { fetch, answerNow, opened, closed } = stage(origins.slice(0, 36));
    const readings = origins.map(fetch);
    await Promise.all(readings.slice(36));
    assert.deepEqual(closed, origins.slice(36));
    for (const origin of origins) answerNow(origin);
    await Promise.all(readings);
    assert.equal(opened.length - closed.length, 32);
    await fetch(origins[35] ?? '');
    assert.equal(opened.length, 40);
  });

  it('closes all clients at its end, and with them the calls in flight', async () => {
    const [slow = '', other = ''] = originsOf(2);
    const { fetch, fetcher, closed } = stage([slow]);
    const reading = assert.rejects(fetch(slow), /closed/);
    await fetch(other);
    await fetcher.close();
    await reading;
    assert.deepEqual(closed.sort(), [slow, other]);
  });
});
