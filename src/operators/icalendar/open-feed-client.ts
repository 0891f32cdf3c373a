import { Pool } from 'undici';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../../quotes/deadline.ts';
import { collectDocument } from '../collect-document.ts';
import { failureOf } from '../json-response.ts';
import type { FeedClient, OpenFeedClient } from './fetch-feed.ts';

const CALENDAR_TYPE = /^text\/(?:calendar|plain)\s*(?:;|$)/i;
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;
const CONNECT_TIMEOUT_MS = 3000;

/** Feeds over HTTP. Redirects are not followed, and nothing but a calendar is read. */
export function createFeedClientOpener(clock: Clock): OpenFeedClient {
  return ({ baseUrl, connections }): FeedClient => {
    const pool = new Pool(baseUrl, {
      connections,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });

    async function exchange(
      { path, headers }: Parameters<FeedClient['send']>[0],
      { timeoutMs, maxBytes }: Parameters<FeedClient['send']>[1],
      signal: AbortSignal,
    ): ReturnType<FeedClient['send']> {
      const {
        statusCode,
        headers: received,
        body,
      } = await pool.request({
        method: 'GET',
        path,
        headers: {
          accept: 'text/calendar',
          'accept-encoding': 'identity',
          'user-agent': 'Staywire/1',
          ...headers,
        },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal,
      });
      try {
        if (statusCode === 304) return { kind: 'unchanged' };
        if (statusCode !== 200) throw failureOf(statusCode);
        if (!CALENDAR_TYPE.test(String(received['content-type'] ?? ''))) {
          throw new BookingSystemFailure('garbled', 'the answer is not declared as text/calendar');
        }
        if ((received['content-encoding'] ?? 'identity') !== 'identity') {
          throw new BookingSystemFailure('garbled', 'the answer is compressed, which was not asked for');
        }
        const { bytes } = await collectDocument(body, { maxBytes });
        const etag = String(received.etag ?? '');
        return { kind: 'document', bytes, etag: ETAG.test(etag) ? etag : null };
      } finally {
        if (!body.destroyed) body.dump({ limit: 16 * 1024 }).catch(() => undefined);
      }
    }

    return {
      async send(request, options) {
        const deadline = openDeadline({ clock, timeoutMs: options.timeoutMs, parent: options.signal });
        try {
          return await untilAborted(exchange(request, options, deadline.signal), deadline.signal);
        } catch (error) {
          if (error instanceof BookingSystemFailure) throw error;
          const kind = deadline.signal.aborted ? 'timeout' : 'unreachable';
          throw new BookingSystemFailure(kind, 'the feed could not be fetched', { cause: error });
        } finally {
          deadline.close();
        }
      },
      close: () => pool.destroy(),
    };
  };
}
