import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import { createRequestBudget } from '../../../limits/request-budget.ts';
import type { ReadHeader } from '../../../outbound/read-answer.ts';
import { retryAfterMs } from '../../../outbound/read-answer.ts';
import { type Random, systemRandom } from '../../../random.ts';
import { accessTokenContract } from './access-token.contract.ts';
import { createAccessToken, type IssueToken } from './access-token.ts';

const patient = new AbortController().signal;
const noJitter: Random = { bytes: (count) => Buffer.alloc(count) };
const HOUR_MS = 3_600_000;

function storedText() {
  const stored = {
    text: undefined as string | undefined,
    read: async () => (stored.text === undefined ? undefined : new TextEncoder().encode(stored.text)),
    save: async (document: Uint8Array) => {
      stored.text = new TextDecoder().decode(document);
    },
  };
  return stored;
}

function tokenWith(changes: Partial<Parameters<typeof createAccessToken>[0]> = {}) {
  const clock = createFakeClock(Date.UTC(2027, 0, 1));
  const stored = storedText();
  const issued: (string | undefined)[] = [];
  const issue: IssueToken = async ({ refreshToken }) => {
    issued.push(refreshToken);
    return { token: `token-${issued.length}`, lifetimeMs: HOUR_MS };
  };
  const options = {
    issue,
    stored,
    secret: 'the secret of the account',
    budget: createRequestBudget({ windows: [{ requests: 100, perMs: 1000 }], clock }),
    readBudget: (header: ReadHeader) => {
      const pauseMs = retryAfterMs(header, 0);
      return pauseMs === undefined ? {} : { pauseMs };
    },
    clock,
    random: systemRandom,
    ...changes,
  };
  return { clock, stored, issued, options, token: createAccessToken(options) };
}

const isFailure =
  (kind: FailureKind, message: string | RegExp = /^/) =>
  (error: unknown) =>
    error instanceof BookingSystemFailure &&
    error.kind === kind &&
    (typeof message === 'string' ? error.message === message : message.test(error.message));

accessTokenContract(
  'of one process',
  async (terms) => {
    const clock = createFakeClock(Date.UTC(2027, 0, 1));
    const budget = createRequestBudget({ windows: [{ requests: 100, perMs: 1000 }], clock });
    const token = createAccessToken({ ...terms, budget, clock, random: systemRandom });
    return { nodes: [token, token], pass: clock.advance };
  },
  { canEndAlone: false },
);

describe('the token of an account', () => {
  it('is kept across a restart, sealed with the secret of its account', async () => {
    const { token, stored, options, issued } = tokenWith();
    await token.current(patient, 'live');
    assert.doesNotMatch(stored.text ?? '', /token-1/);
    assert.equal(await createAccessToken(options).current(patient, 'live'), 'token-1');
    const other = createAccessToken({ ...options, secret: 'another secret' });
    assert.equal(
      await other.current(patient, 'live'),
      'token-2',
      'a stored token of another secret is of no use',
    );
    assert.equal(issued.length, 2);
  });

  it('is asked for with the refresh token that came last', async () => {
    const asked: (string | undefined)[] = [];
    const issue: IssueToken = async ({ refreshToken }) => {
      asked.push(refreshToken);
      return { token: `t${asked.length}`, lifetimeMs: HOUR_MS, refreshToken: `r${asked.length}` };
    };
    const { token, clock, options } = tokenWith({ issue });
    await token.current(patient, 'live');
    await clock.advance(HOUR_MS);
    await token.current(patient, 'live');
    await clock.advance(HOUR_MS);
    await createAccessToken(options).current(patient, 'live');
    assert.deepEqual(asked, [undefined, 'r1', 'r2']);
  });

  it('is not asked for more often than the vendor issues it, also across restarts', async () => {
    const limit = { requests: 2, perMs: 24 * HOUR_MS };
    const { token, clock, options, issued } = tokenWith({ limit });
    await token.current(patient, 'live');
    await clock.advance(HOUR_MS);
    await token.current(patient, 'live');
    assert.equal(token.restsForMs(), 0, 'there is one');
    await clock.advance(HOUR_MS);
    await assert.rejects(
      createAccessToken(options).current(patient, 'live'),
      (error) => error instanceof BookingSystemFailure && error.kind === 'rate_limited',
    );
    assert.equal(token.restsForMs(), 22 * HOUR_MS);
    await clock.advance(23 * HOUR_MS);
    assert.equal(token.restsForMs(), 0, 'one may be asked for');
    assert.equal(await token.current(patient, 'live'), 'token-3');
    assert.equal(issued.length, 3);
  });

  it('is asked for ever less often while that fails, and calls meanwhile fail at once in the same way', async () => {
    for (const [kind, firstMs] of [
      ['rejected', 30_000],
      ['server_error', 2000],
      ['unreachable', 2000],
      ['garbled', 2000],
      ['timeout', 2000],
    ] as const) {
      let asked = 0;
      const issue: IssueToken = async () => {
        asked += 1;
        throw new BookingSystemFailure(kind, `try ${asked}`);
      };
      const { token, clock } = tokenWith({ issue, random: noJitter });
      for (let tries = 1; tries <= 12; tries += 1) {
        const restMs = Math.min(firstMs * 2 ** (tries - 1), 600_000);
        for (let call = 0; call < 5; call += 1) {
          await assert.rejects(token.current(patient, 'live'), isFailure(kind, `try ${tries}`));
        }
        assert.equal(asked, tries);
        await clock.advance(restMs - 1);
        await assert.rejects(token.current(patient, 'background'), isFailure(kind, `try ${tries}`));
        assert.equal(asked, tries, `${kind}: left alone for ${restMs} ms`);
        await clock.advance(1);
      }
    }
  });

  it('counts as asked for where nobody knows whether it was issued, also across restarts', async () => {
    const limit = { requests: 3, perMs: 24 * HOUR_MS };
    for (const [kind, status, cause, counts] of [
      ['server_error', 502, undefined, true],
      ['timeout', 0, undefined, true],
      ['garbled', 200, undefined, true],
      ['unreachable', 0, { code: 'ECONNRESET' }, true],
      ['unreachable', 0, { code: 'ENOTFOUND' }, false],
      ['timeout', 0, { code: 'ETIMEOUT' }, false],
      ['rejected', 401, undefined, false],
    ] as const) {
      let asked = 0;
      const issue: IssueToken = async ({ onAnswer }) => {
        asked += 1;
        if (status > 0) onAnswer(status, () => undefined);
        throw new BookingSystemFailure(kind, 'no', { cause: Object.assign(new Error('so'), cause) });
      };
      const { clock, options } = tokenWith({ issue, limit });
      for (let start = 0; start < 6; start += 1) {
        await assert.rejects(createAccessToken(options).current(patient, 'live'));
      }
      assert.equal(asked, counts ? 3 : 6, `${kind} ${status}`);
      if (!counts) continue;
      await assert.rejects(
        createAccessToken(options).current(patient, 'live'),
        isFailure('rate_limited', /no more tokens before 2027-01-02 00:00:00 UTC/),
      );
      await clock.advance(24 * HOUR_MS);
      await assert.rejects(createAccessToken(options).current(patient, 'live'), isFailure(kind, 'no'));
    }
  });

  it('waits where a vendor accepts a token only some time after it was issued', async () => {
    const { token, clock } = tokenWith({ usableAfterMs: 1000 });
    let value: string | undefined;
    const waiting = token.current(patient, 'live').then((current) => {
      value = current;
    });
    await clock.advance(999);
    assert.equal(value, undefined);
    await clock.advance(1);
    await waiting;
    assert.equal(value, 'token-1');
  });
});
