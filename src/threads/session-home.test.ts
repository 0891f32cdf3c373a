import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemRandom } from '../random.ts';
import { newSessionToken } from '../sessions/session-token.ts';
import { homeOf, homeOfRequest } from './route-operations.ts';

const CALLER = { assistant: 'claude', address: '203.0.113.7' };

it('spreads sessions over all threads, and always finds them again', () => {
  const tokens = Array.from({ length: 3000 }, () => newSessionToken(systemRandom));
  const homes = tokens.map((token) => homeOf(token, 3));
  for (const home of [0, 1, 2]) {
    const share = homes.filter((one) => one === home).length;
    assert.ok(share > 850 && share < 1150, `${share} of 3000 in ${home}`);
  }
  assert.deepEqual(
    tokens.map((token) => homeOf(token, 3)),
    homes,
  );
});

it('sends requests of a session to its thread, whatever they ask', () => {
  const token = newSessionToken(systemRandom);
  for (const operation of ['search', 'readResult'] as const) {
    const home = homeOfRequest({ operation, token, key: 'any', caller: CALLER }, 5);
    assert.equal(home, homeOf(token, 5));
  }
});

it('serves anywhere what belongs to no session', () => {
  const request = { token: undefined, key: null, caller: CALLER };
  assert.equal(homeOfRequest({ ...request, operation: 'search' }, 4), null);
  assert.equal(homeOfRequest({ ...request, operation: 'search', token: 'not-a-token' }, 4), null);
  assert.equal(homeOfRequest({ ...request, operation: 'openSession' }, 4), null);
  const token = newSessionToken(systemRandom);
  assert.equal(homeOfRequest({ ...request, operation: 'readSchema', token, key: 'k' }, 4), null);
});

it('sends repeated openings of a caller to one thread, and those of others elsewhere', () => {
  const homeOf = (assistant: string, key: string) =>
    homeOfRequest({ operation: 'openSession', token: undefined, key, caller: { ...CALLER, assistant } }, 64);
  assert.equal(homeOf('claude', 'k1'), homeOf('claude', 'k1'));
  const homes = new Set(
    ['k1', 'k2', 'k3', 'k4'].flatMap((key) => [homeOf('claude', key), homeOf('other', key)]),
  );
  assert.ok(homes.size > 4);
});
