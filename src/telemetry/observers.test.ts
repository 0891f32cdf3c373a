import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { writtenBody } from '../../test/support/sample-body.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { answerWith } from '../contract/exchange.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import type { AuditEntry } from './audit/audit-record.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import {
  createOperationObserver,
  createOutcomesObserver,
  createQuoteObserver,
  createRequestObserver,
  createSyncObserver,
} from './observers.ts';

function setUp() {
  const lines: string[] = [];
  const clock = createFakeClock(1_800_000_000_000);
  const metrics = createMetrics();
  const log = createLog({ level: 'info', clock, destination: { write: (line) => void lines.push(line) } });
  const series = async (name: string) =>
    [...(await metrics.render()).matchAll(new RegExp(`^staywire_${name}(\\S* \\S+)$`, 'gm'))].map(
      ([, one]) => one,
    );
  return { metrics, log, clock, series, written: () => lines.map((line) => JSON.parse(line)) };
}

const REQUEST = {
  requestId: 'req_1',
  operation: 'search',
  method: 'POST',
  path: '/ai/v1/search%3Fsession=secret',
  status: 200,
  error: null,
  assistant: 'acme',
  replayed: false,
  access: null,
  tools: [],
  durationMs: 4,
} as const;

test('a request is counted, logged without its query and recorded, and so is what went wrong with it', async () => {
  const { metrics, log, series, written } = setUp();
  const audited: AuditEntry[] = [];
  const observer = createRequestObserver({ metrics, log, audit: (entry) => void audited.push(entry) });
  const refused = { kind: 'refused', reason: 'not_approved', address: '203.0.113.77' } as const;
  observer.finished(REQUEST);
  observer.finished({ ...REQUEST, status: 499, error: 'abandoned', durationMs: 60_000 });
  observer.finished({
    ...{ ...REQUEST, operation: 'other', status: 403, error: 'access_denied' },
    access: { ...refused, cause: 'suspended', assistant: 'acme', way: 'network' },
  });
  observer.fault(new Error('broken'), 'req_1');
  observer.fault(new StorageFailure('full', 'disk full'), 'req_2');
  observer.fault(new StorageFailure('unreachable', 'away'), 'req_3');
  assert.deepEqual(
    written().map(({ level, path, err, msg }) => [level, path ?? err?.message ?? msg]),
    [
      ['info', '/ai/v1/search'],
      ['info', '/ai/v1/search'],
      ['info', '/ai/v1/search'],
      ['error', 'broken'],
      ['error', 'disk full'],
      ['warn', 'request failed: away'],
    ],
  );
  assert.equal(audited.length, 1);
  assert.deepEqual(await series('http_requests_total'), [
    '{operation="search",status="200",error="none"} 1',
    '{operation="search",status="499",error="abandoned"} 1',
    '{operation="other",status="403",error="access_denied"} 1',
  ]);
  assert.deepEqual(await series('refused_callers_total'), ['{cause="suspended"} 1']);
  assert.deepEqual(await series('http_request_seconds_sum'), [
    '{operation="search"} 0.004',
    '{operation="other"} 0.004',
  ]);
  assert.deepEqual(await series('store_failures_total'), [' 2'], 'only what the store did');
});

test('steps are counted by what came of them, a repeated one as a replay and a read not at all', async () => {
  const { metrics, log, series } = setUp();
  const observer = createOperationObserver({ metrics, log });
  observer.served('search', answerWith(writtenBody(), { error: 'incomplete_payload' }));
  observer.served('search', answerWith(writtenBody()));
  observer.served('search', answerWith(writtenBody(), { replayed: true }));
  observer.served('readResult', answerWith(writtenBody()));
  observer.abandoned('search');
  observer.abandoned('readResult');
  assert.deepEqual(await series('search_steps_total'), [
    '{outcome="incomplete_payload"} 1',
    '{outcome="complete"} 1',
    '{outcome="replayed"} 1',
    '{outcome="abandoned"} 1',
  ]);
});

test('quotes and breakers are counted, and what is not shown of prices is logged once an hour', async () => {
  const { metrics, log, clock, series, written } = setUp();
  const observer = createQuoteObserver({ metrics, log, clock, brands: ['seaside'] });
  observer.call('seaside', 250, { quoted: 2, unavailable: 0, failures: new Map([['timeout', 1]]) });
  observer.breaker('seaside', 'open');
  observer.policiesNotShown('seaside', ['casa-1', 'casa-2']);
  observer.policiesNotShown('seaside', ['casa-3']);
  observer.breakdownsNotShown('seaside', 'label_held_back', ['casa-4']);
  observer.breakdownsNotShown('seaside', 'does_not_add_up', ['casa-5']);
  await clock.advance(3_600_000);
  observer.policiesNotShown('seaside', ['casa-6']);
  assert.deepEqual(
    written().map(({ level, state, references }) => [level, state ?? references]),
    [
      ['warn', 'open'],
      ['warn', ['casa-1', 'casa-2']],
      ['warn', ['casa-4']],
      ['warn', ['casa-5']],
      ['warn', ['casa-6']],
    ],
  );
  assert.deepEqual(await series('quotes_total'), [
    '{brand="seaside",outcome="quoted"} 2',
    '{brand="seaside",outcome="timeout"} 1',
  ]);
  assert.deepEqual(await series('quote_call_seconds_sum'), ['{brand="seaside"} 0.25']);
  assert.deepEqual(await series('policies_not_shown_total'), ['{brand="seaside"} 4']);
  assert.deepEqual(await series('breaker_state'), [
    '{brand="seaside",state="closed"} 0',
    '{brand="seaside",state="half_open"} 0',
    '{brand="seaside",state="open"} 1',
  ]);
});

test('readings of a brand are counted, and listings held back are named once, until they change', async () => {
  const { metrics, log, series, written } = setUp();
  const observer = createSyncObserver({ metrics, log });
  const held: Rejection = { reference: 'casa-1', field: 'name', rule: 'empty_text', reason: 'is empty' };
  const repaired: Rejection = { ...held, reference: 'casa-2', repaired: true };
  for (const listed of [[held, repaired], [held, repaired], [held]]) {
    const withValues = listed.map((one) => ({ ...one, value: 'what the operator wrote' }));
    observer.refreshed('seaside', 1500, 40, withValues, 2);
  }
  observer.failed('alpine', 'timeout', new Error('too slow'));
  observer.paused('seaside', 9_999.6);
  observer.loaded(50_000, 5_000.4);
  const lines = written();
  assert.deepEqual(
    lines.filter(({ level }) => level === 'warn').map(({ listings, err }) => listings ?? err.message),
    [[held, repaired], [held], 'too slow'],
  );
  assert.equal(lines.at(-1)?.per_second, 9_999);
  assert.deepEqual(await series('sync_refreshes_total'), [
    '{brand="seaside",outcome="succeeded"} 3',
    '{brand="alpine",outcome="timeout"} 1',
  ]);
  assert.deepEqual(await series('sync_properties'), [
    '{brand="seaside",state="offered"} 40',
    '{brand="seaside",state="held_back"} 3',
  ]);
  assert.deepEqual(await series('sync_pauses_total'), ['{brand="seaside"} 1']);
});

test('bookings that were too many are not called unreadable', () => {
  const { log, written } = setUp();
  const observer = createOutcomesObserver(log);
  observer.collected('casas', { bookings: 5, leftOut: 0, tooMany: 0 });
  observer.collected('casas', { bookings: 1, leftOut: 3, tooMany: 4 });
  assert.deepEqual(
    written().map(({ left_out: leftOut, msg }) => [leftOut, msg]),
    [
      [3, 'bookings that could not be understood were left out'],
      [4, 'more bookings were reported than are taken at once or kept of a brand'],
    ],
  );
});
