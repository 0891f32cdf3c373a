import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { systemRandom } from '../../random.ts';
import { createAccessToken, type IssueToken } from './access-token.ts';

const patient = new AbortController().signal;
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
  const issue: IssueToken = async (refreshToken) => {
    issued.push(refreshToken);
    return { token: `token-${issued.length}`, lifetimeMs: HOUR_MS };
  };
  const options = {
    issue,
    stored,
    secret: 'the secret of the account',
    clock,
    random: systemRandom,
    ...changes,
  };
  return { clock, stored, issued, options, token: createAccessToken(options) };
}

describe('the token of an account', () => {
  it('is asked for once, however many calls need it, and again before it ends', async () => {
    const { token, issued, clock } = tokenWith();
    const many = await Promise.all(Array.from({ length: 20 }, () => token.current(patient)));
    assert.deepEqual(new Set(many), new Set(['token-1']));
    await clock.advance(HOUR_MS - 61_000);
    assert.equal(await token.current(patient), 'token-1');
    await clock.advance(2000);
    assert.equal(await token.current(patient), 'token-2');
    assert.equal(issued.length, 2);
  });

  it('is kept across a restart, sealed with the secret of its account', async () => {
    const { token, stored, options, issued } = tokenWith();
    await token.current(patient);
    assert.doesNotMatch(stored.text ?? '', /token-1/);
    assert.equal(await createAccessToken(options).current(patient), 'token-1');
    const other = createAccessToken({ ...options, secret: 'another secret' });
    assert.equal(await other.current(patient), 'token-2', 'a stored token of another secret is of no use');
    assert.equal(issued.length, 2);
  });

  it('is renewed once when the vendor refuses it, and not right after it was issued', async () => {
    const { token, issued, clock } = tokenWith();
    const first = await token.current(patient);
    assert.equal(token.refused(first), false);
    await clock.advance(60_000);
    assert.deepEqual([token.refused(first), token.refused(first)], [true, true]);
    const next = await Promise.all([token.current(patient), token.current(patient)]);
    assert.deepEqual(next, ['token-2', 'token-2']);
    assert.equal(token.refused(first), true, 'who comes late with the old one just takes the new one');
    assert.equal(await token.current(patient), 'token-2');
    assert.equal(issued.length, 2);
  });

  it('is asked for with the refresh token that came last', async () => {
    const asked: (string | undefined)[] = [];
    const issue: IssueToken = async (refreshToken) => {
      asked.push(refreshToken);
      return { token: `t${asked.length}`, lifetimeMs: HOUR_MS, refreshToken: `r${asked.length}` };
    };
    const { token, clock, options } = tokenWith({ issue });
    await token.current(patient);
    await clock.advance(HOUR_MS);
    await token.current(patient);
    await clock.advance(HOUR_MS);
    await createAccessToken(options).current(patient);
    assert.deepEqual(asked, [undefined, 'r1', 'r2']);
  });

  it('is not asked for more often than the vendor issues it, also across restarts', async () => {
    const limit = { requests: 2, perMs: 24 * HOUR_MS };
    const { token, clock, options, issued } = tokenWith({ limit });
    await token.current(patient);
    await clock.advance(HOUR_MS);
    await token.current(patient);
    await clock.advance(HOUR_MS);
    await assert.rejects(
      createAccessToken(options).current(patient),
      (error) => error instanceof BookingSystemFailure && error.kind === 'rate_limited',
    );
    await clock.advance(23 * HOUR_MS);
    assert.equal(await token.current(patient), 'token-3');
    assert.equal(issued.length, 3);
  });

  it('is not asked for again and again with wrong credentials', async () => {
    let asked = 0;
    const issue: IssueToken = async () => {
      asked += 1;
      throw new BookingSystemFailure('rejected', 'wrong client_secret');
    };
    const { token, clock } = tokenWith({ issue });
    for (let call = 0; call < 5; call += 1)
      await assert.rejects(token.current(patient), /wrong client_secret/);
    assert.equal(asked, 1);
    await clock.advance(30_000);
    await assert.rejects(token.current(patient), /wrong client_secret/);
    assert.equal(asked, 2);
  });

  it('is not asked for where it could not be stored', async () => {
    const refusing = { read: async () => undefined, save: () => Promise.reject(new Error('read only')) };
    const { token, issued } = tokenWith({ stored: refusing });
    await assert.rejects(token.current(patient), /read only/);
    assert.equal(issued.length, 0);
  });

  it('does not depend on the caller that needed it first', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const issue: IssueToken = async () => {
      await promise;
      return { token: 'late', lifetimeMs: HOUR_MS };
    };
    const { token } = tokenWith({ issue });
    const leaving = new AbortController();
    const gone = token.current(leaving.signal);
    const stays = token.current(patient);
    await new Promise(setImmediate);
    leaving.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    resolve();
    assert.equal(await stays, 'late');
  });

  it('waits where a vendor accepts a token only some time after it was issued', async () => {
    const { token, clock } = tokenWith({ usableAfterMs: 1000 });
    let value: string | undefined;
    const waiting = token.current(patient).then((current) => {
      value = current;
    });
    await clock.advance(999);
    assert.equal(value, undefined);
    await clock.advance(1);
    await waiting;
    assert.equal(value, 'token-1');
  });
});
