import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { type AddressSet, addressSetFrom } from '../parsing/ip-address.ts';
import { createAccessKeeper, createKeysAt } from './access-list.ts';
import type { PublishedAddress } from './published/published-document.ts';
import type { DatedKey } from './published/read-published-document.ts';
import type { PublicKey } from './signatures/keys.ts';

const SIGNS = { signature_agent: 'https://signs.example' };
const KEYS_URL = 'https://signs.example/.well-known/http-message-signatures-directory';
const RANGES_URL = 'https://lists.example/ranges.json';
const KEY: PublicKey = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
const FOR_EVER: DatedKey = { key: KEY, notBefore: null, notAfter: null };

const entry = (id: string, status: string, ...recognised_by: object[]) => ({
  id,
  name: id,
  status,
  recognised_by,
});

function publishedBy() {
  const state = {
    followed: [] as readonly PublishedAddress[],
    forgotten: 0,
    ranges: new Map<string, AddressSet>(),
    keys: new Map<string, readonly DatedKey[]>(),
    changed: () => {},
  };
  return {
    state,
    published: {
      follow: (wanted: readonly PublishedAddress[]) => {
        state.followed = wanted;
      },
      forgetOthers: () => {
        state.forgotten += 1;
      },
      ranges: (url: string) => state.ranges.get(url) ?? null,
      keys: (url: string) => state.keys.get(url) ?? null,
      onChange: (listener: () => void) => {
        state.changed = listener;
      },
    },
  };
}

const CERTAIN = { isCertain: true };

describe('the list of who may call', () => {
  it('asks for what its assistants publish, suspended ones too, and each document once', () => {
    const { state, published } = publishedBy();
    const list = { user_agent: 'List-User', ranges_url: RANGES_URL };
    createAccessKeeper(
      registryOf(entry('a', 'approved', SIGNS, list), entry('b', 'suspended', SIGNS, list)),
      published,
      CERTAIN,
    );
    assert.deepEqual(state.followed, [
      { kind: 'keys', url: KEYS_URL },
      { kind: 'ranges', url: RANGES_URL },
    ]);
  });

  it('has no ranges and no keys before they are known, and those that came since', () => {
    const { state, published } = publishedBy();
    const registry = registryOf(
      entry('a', 'approved', SIGNS, { user_agent: 'List-User', ranges_url: RANGES_URL }),
    );
    const keeper = createAccessKeeper(registry, published, CERTAIN);
    const before = keeper.list();
    assert.deepEqual(before.keys, []);
    assert.deepEqual(before.assistants[0]?.recognisedBy[1], {
      kind: 'ranges',
      userAgent: 'List-User',
      ranges: { ipv4: [], ipv6: [] },
    });
    assert.equal(keeper.list(), before, 'the same until something changes');

    const ranges = addressSetFrom(['203.0.113.0/24']);
    state.ranges.set(RANGES_URL, ranges);
    state.keys.set(KEYS_URL, [FOR_EVER]);
    state.changed();
    const after = keeper.list();
    assert.notEqual(after, before);
    assert.deepEqual(after.keys, [{ url: KEYS_URL, keys: [FOR_EVER] }]);
    assert.deepEqual(after.assistants[0]?.recognisedBy[1], {
      kind: 'ranges',
      userAgent: 'List-User',
      ranges,
    });
  });

  it('follows the registry', () => {
    const { state, published } = publishedBy();
    const keeper = createAccessKeeper(registryOf(entry('a', 'approved', SIGNS)), published, CERTAIN);
    keeper.use(registryOf(entry('a', 'suspended', { network: ['10.0.0.0/8'] })));
    assert.deepEqual(state.followed, []);
    assert.deepEqual(
      keeper.list().assistants.map(({ id, status }) => [id, status]),
      [['a', 'suspended']],
    );
  });

  it('lets copies of documents go only when it is certain that nobody registered needs them', () => {
    const { state, published } = publishedBy();
    const keeper = createAccessKeeper({ assistants: [] }, published, { isCertain: false });
    assert.equal(state.forgotten, 0, 'where the registry could not be read');
    keeper.use(registryOf(entry('a', 'approved', SIGNS)));
    assert.equal(state.forgotten, 1);
    createAccessKeeper({ assistants: [] }, published, CERTAIN);
    assert.equal(state.forgotten, 2);
  });

  it('has keys from their nbf until their exp, by the wall clock', () => {
    const clock = createFakeClock(1_000_000);
    const keys = [{ key: KEY, notBefore: 1000, notAfter: 2000 }];
    const keysAt = createKeysAt(() => ({ assistants: [], keys: [{ url: KEYS_URL, keys }] }), clock);
    assert.deepEqual(keysAt(KEYS_URL), [KEY]);
    for (const step of [-1, 1_000_001]) {
      clock.stepWallClock(step);
      assert.deepEqual(keysAt(KEYS_URL), []);
    }
    assert.equal(keysAt('https://other.example/'), undefined);
  });
});
