import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createLimitsOf,
  createQuotas,
  createSearchPlaces,
  isOverQuota,
  type LimitedAssistant,
} from './assistant-limits.ts';
import { searchPlacesContract } from './search-places.contract.ts';

test('the limits of an assistant are those of the list as it is now', () => {
  let assistants: readonly LimitedAssistant[] = [{ id: 'plain' }, { id: 'busy', limits: { requests: 5 } }];
  const limitsOf = createLimitsOf(() => assistants);
  assert.deepEqual([limitsOf('plain'), limitsOf('busy'), limitsOf('unlisted')], [{}, { requests: 5 }, {}]);
  assistants = [{ id: 'plain', limits: { searches: 2 } }, { id: 'busy' }];
  assert.deepEqual([limitsOf('plain'), limitsOf('busy')], [{ searches: 2 }, {}]);
});

describe('places of searches in memory', () => {
  searchPlacesContract(async () => createSearchPlaces());
});

const MEGABYTE = 1024 * 1024;

test('an assistant has the limits of the settings, or its own, and a share of the store', () => {
  let assistants: readonly LimitedAssistant[] = [
    { id: 'plain' },
    { id: 'large', limits: { sessions: 50, megabytes: 5 } },
    { id: 'few', limits: { sessions: 1 } },
  ];
  const quotaOf = createQuotas({
    sessions: 10,
    megabytes: 2,
    totalMegabytes: 9,
    limitsOf: createLimitsOf(() => assistants),
    countAssistants: () => assistants.length,
  });
  const shared = { totalBytes: 9 * MEGABYTE, shareBytes: 3 * MEGABYTE };
  assert.deepEqual(quotaOf('plain'), { sessions: 10, bytes: 2 * MEGABYTE, ...shared });
  assert.deepEqual(quotaOf('large'), { sessions: 50, bytes: 5 * MEGABYTE, ...shared });
  assert.deepEqual(quotaOf('few'), { sessions: 1, bytes: 2 * MEGABYTE, ...shared });
  assert.deepEqual(quotaOf('unlisted'), quotaOf('plain'));

  assistants = [{ id: 'plain', limits: { megabytes: 4 } }];
  assert.deepEqual(quotaOf('plain'), {
    sessions: 10,
    bytes: 4 * MEGABYTE,
    totalBytes: 9 * MEGABYTE,
    shareBytes: 9 * MEGABYTE,
  });
});

test('sessions and bytes count each for themselves, and the total only against those above their share', () => {
  const quota = { sessions: 3, bytes: 100, totalBytes: 150, shareBytes: 50 };
  assert.equal(isOverQuota({ sessions: 2, bytes: 99 }, 149, quota), false);
  assert.equal(isOverQuota({ sessions: 3, bytes: 0 }, 0, quota), true);
  assert.equal(isOverQuota({ sessions: 0, bytes: 100 }, 100, quota), true);
  assert.equal(isOverQuota({ sessions: 1, bytes: 50 }, 150, quota), true);
  assert.equal(isOverQuota({ sessions: 1, bytes: 49 }, 1_000, quota), false);
});
