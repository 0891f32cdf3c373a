import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { systemRandom } from '../../../random.ts';
import { createAccounts } from './accounts.ts';

const signal = new AbortController().signal;

function setUp() {
  const clock = createFakeClock(0);
  const open = createAccounts({
    stored: () => ({ read: async () => undefined, save: async () => undefined }),
    clock,
    random: systemRandom,
  });
  return { clock, open };
}
const terms = {
  vendor: 'casas',
  name: 'harbor',
  baseUrl: 'https://api.casas.example',
  windows: [{ requests: 100, perMs: 1000 }],
  secret: 'secret',
  readBudget: () => ({}),
};

describe('an account', () => {
  it('is one for all brands that name it at the same server, and another elsewhere', () => {
    const { open } = setUp();
    assert.equal(open(terms), open({ ...terms, windows: [] }));
    assert.notEqual(open(terms), open({ ...terms, baseUrl: 'https://other.example' }));
    assert.notEqual(open(terms), open({ ...terms, name: 'quay' }));
  });

  it('rests while its vendor wants a pause, and while it has no token and may ask for none', async () => {
    const { clock, open } = setUp();
    const issue = () => Promise.reject(new BookingSystemFailure('rejected', 'no'));
    const { token, budget, restsForMs } = open({ ...terms, issue });
    assert.equal(restsForMs(), 0);
    await assert.rejects(token.current(signal, 'background'));
    const tokenRestMs = restsForMs();
    assert.ok(tokenRestMs >= 30_000, String(tokenRestMs));
    budget.pause(tokenRestMs + 1000);
    assert.equal(restsForMs(), tokenRestMs + 1000);
    await clock.advance(tokenRestMs + 1000);
    assert.equal(restsForMs(), 0);
  });
});
