import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createAccounts } from '../operators/account/accounts.ts';
import { systemRandom } from '../random.ts';
import { withBoundedWaits } from './bounded-waits.ts';

const TERMS = { vendor: 'lodgify', name: 'harbor', windows: [{ requests: 1, perMs: 30_000 }], secret: 'x' };
const TWO_HOURS = 2 * 3_600_000;

it('a call at a terminal waits for a minute at most, and says so', async () => {
  const clock = createFakeClock(Date.UTC(2027, 0, 15));
  const notes: string[] = [];
  const stored = { read: async () => undefined, save: async () => undefined };
  const openAccount = createAccounts({ stored: () => stored, clock, random: systemRandom });
  const openClient = () => assert.fail('nothing is sent');
  const { openAccount: openBounded } = withBoundedWaits(
    { openClient, openAccount },
    { clock, terminal: { note: (text) => void notes.push(text) } },
  );
  const { budget } = openBounded(TERMS);
  const { signal } = new AbortController();
  const take = () => budget.take({ urgency: 'background', withinMs: TWO_HOURS, signal });

  (await take()).done();
  assert.deepEqual(notes, []);
  const second = take();
  await clock.advance(29_000);
  assert.match(notes.join('\n'), /^The account harbor has used up its limit for now/);
  await clock.advance(1001);
  (await second).done();

  budget.pause(61_000);
  await assert.rejects(take(), { kind: 'rate_limited' });
  assert.equal(notes.length, 1, 'it is said more than once');
});
