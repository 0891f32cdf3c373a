import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { writtenBody } from '../../test/support/sample-body.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../catalogue/rejections/rejection-rules.ts';
import { answerWith } from '../contract/exchange.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import {
  createOperationObserver,
  createOutcomesObserver,
  createQuoteObserver,
  createRequestObserver,
  createSnapshotObserver,
  createSyncObserver,
} from './observers.ts';

function setUp() {
  const lines: string[] = [];
  const clock = createFakeClock(1_800_000_000_000);
  const metrics = createMetrics();
  const log = createLog({ level: 'info', clock, destination: { write: (line) => void lines.push(line) } });
  return { metrics, log, clock, written: () => lines.map((line) => JSON.parse(line)) };
}

test('refused callers are counted by cause, and by nothing that they say', async () => {
  const { metrics, log, clock } = setUp();
  const observer = createRequestObserver({ metrics, log, clock });
  const request = {
    requestId: 'req_1',
    operation: 'other',
    method: 'GET',
    path: '/ai/*',
    status: 403,
    error: 'access_denied',
    assistant: null,
    replayed: false,
    tools: [],
    durationMs: 1,
  } as const;
  const refused = { kind: 'refused', reason: 'not_approved', address: '203.0.113.77' } as const;
  const suspended = { ...refused, cause: 'suspended', assistant: 'acme', way: 'network' } as const;
  observer.finished({
    ...request,
    access: { ...refused, cause: 'unknown_caller', assistant: null, way: null },
  });
  observer.finished({ ...request, access: suspended });
  observer.finished({ ...request, status: 499, error: 'abandoned', access: suspended });
  observer.finished({ ...request, status: 404, error: 'not_found', access: null });
  const series = (await metrics.render()).match(/^staywire_refused_callers_total.*$/gm);
  assert.deepEqual(series, [
    'staywire_refused_callers_total{cause="unknown_caller"} 1',
    'staywire_refused_callers_total{cause="suspended"} 2',
  ]);
});

test('a request is counted and written, and so is what went wrong with it', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createRequestObserver({ metrics, log, clock });
  const request = {
    requestId: 'req_1',
    operation: 'search',
    method: 'POST',
    path: '/ai/v1/search',
    status: 200,
    error: 'incomplete_payload',
    assistant: 'acme',
    replayed: false,
    access: null,
    tools: [],
    durationMs: 4,
  } as const;
  observer.finished(request);
  observer.finished({ ...request, operation: 'readResult', error: null });
  observer.finished({ ...request, status: 499, error: 'abandoned', durationMs: 60_000 });
  observer.fault(new Error('broken'), 'req_1');
  observer.fault(new StorageFailure('full', 'disk full'), 'req_2');
  assert.deepEqual(
    written().map(({ level, request_id, operation, err }) => [level, request_id, operation ?? err.message]),
    [
      ['info', 'req_1', 'search'],
      ['info', 'req_1', 'readResult'],
      ['info', 'req_1', 'search'],
      ['error', 'req_1', 'broken'],
      ['error', 'req_2', 'disk full'],
    ],
  );
  const text = await metrics.render();
  assert.match(
    text,
    /^staywire_http_requests_total\{operation="search",status="200",error="incomplete_payload"\} 1$/m,
  );
  assert.match(
    text,
    /^staywire_http_requests_total\{operation="search",status="499",error="abandoned"\} 1$/m,
  );
  assert.match(text, /^staywire_http_request_seconds_sum\{operation="search"\} 0\.004$/m);
  assert.match(text, /^staywire_store_failures_total 1$/m, 'only what the store did counts as its failure');
});

test('steps are counted by what came of them, a repeated one as a replay and a read not at all', async () => {
  const { metrics, log } = setUp();
  const observer = createOperationObserver({ metrics, log });
  observer.served('search', answerWith(writtenBody(), { error: 'incomplete_payload' }));
  observer.served('search', answerWith(writtenBody()));
  observer.served('search', answerWith(writtenBody(), { replayed: true }));
  observer.served('search', answerWith(writtenBody(), { replayed: true }));
  observer.served('readResult', answerWith(writtenBody()));
  observer.abandoned('search');
  observer.abandoned('readResult');
  const steps = (await metrics.render())
    .split('\n')
    .filter((line) => line.startsWith('staywire_search_steps'));
  assert.deepEqual(steps, [
    'staywire_search_steps_total{outcome="incomplete_payload"} 1',
    'staywire_search_steps_total{outcome="complete"} 1',
    'staywire_search_steps_total{outcome="replayed"} 2',
    'staywire_search_steps_total{outcome="abandoned"} 1',
  ]);
});

test('quotes and breakers are counted, and what somebody should look at is written', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createQuoteObserver({ metrics, log, clock, brands: ['seaside', 'alpine'] });
  observer.call('seaside', 250, { quoted: 2, unavailable: 0, failures: new Map() });
  observer.breaker('seaside', 'open');
  observer.fault('seaside', new Error('threw'));
  assert.deepEqual(
    written().map(({ level, brand, state, err }) => [level, brand, state ?? err.message]),
    [
      ['warn', 'seaside', 'open'],
      ['error', 'seaside', 'threw'],
    ],
  );
  const text = await metrics.render();
  assert.match(text, /^staywire_quotes_total\{brand="seaside",outcome="quoted"\} 2$/m);
  assert.match(text, /^staywire_quote_call_seconds_sum\{brand="seaside"\} 0\.25$/m);
  assert.match(text, /^staywire_breaker_state\{brand="seaside",state="open"\} 1$/m);
  assert.match(text, /^staywire_breaker_state\{brand="alpine",state="closed"\} 1$/m, 'from the start');
});

test('policies of prices that are not shown are all counted, and written once an hour for each brand', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createQuoteObserver({ metrics, log, clock, brands: [] });
  observer.policiesNotShown('seaside', ['casa-1', 'casa-2']);
  observer.policiesNotShown('seaside', ['casa-3']);
  observer.policiesNotShown('alpine', ['hut-1']);
  await clock.advance(3_600_000);
  observer.policiesNotShown('seaside', ['casa-4']);
  assert.deepEqual(
    written().map(({ level, brand, references, msg }) => [level, brand, references, msg]),
    [
      ['warn', 'seaside', ['casa-1', 'casa-2'], 'policies of prices not shown'],
      ['warn', 'alpine', ['hut-1'], 'policies of prices not shown'],
      ['warn', 'seaside', ['casa-4'], 'policies of prices not shown'],
    ],
  );
  assert.match(await metrics.render(), /^staywire_policies_not_shown_total\{brand="seaside"\} 4$/m);
});

test('breakdowns that are not shown are all counted, and written once an hour for each brand and fault', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createQuoteObserver({ metrics, log, clock, brands: [] });
  observer.breakdownsNotShown('seaside', 'label_held_back', ['casa-1', 'casa-2']);
  observer.breakdownsNotShown('seaside', 'label_held_back', ['casa-3']);
  observer.breakdownsNotShown('seaside', 'does_not_add_up', ['casa-4']);
  await clock.advance(3_600_000);
  observer.breakdownsNotShown('seaside', 'label_held_back', ['casa-5']);
  assert.deepEqual(
    written().map(({ level, brand, fault, references }) => [level, brand, fault, references]),
    [
      ['warn', 'seaside', 'label_held_back', ['casa-1', 'casa-2']],
      ['warn', 'seaside', 'does_not_add_up', ['casa-4']],
      ['warn', 'seaside', 'label_held_back', ['casa-5']],
    ],
  );
  assert.match(
    await metrics.render(),
    /^staywire_breakdowns_not_shown_total\{brand="seaside",fault="label_held_back"\} 4$/m,
  );
});

test('readings of a brand are counted and written', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createSyncObserver({ metrics, log, clock });
  observer.refreshed('seaside', 1500, 40, [], 0);
  observer.failed('alpine', 'timeout', new Error('too slow'));
  observer.storedRejections('alpine', [
    { reference: 'a', field: 'place', rule: 'unknown_place', reason: 'is not a city', value: 'Atlantis' },
  ]);
  observer.storeFailed(new Error('disk full'));
  assert.deepEqual(
    written().map(({ level, brand, properties, listings, err }) => [
      level,
      brand,
      properties ?? listings?.[0].reference ?? err.message,
    ]),
    [
      ['info', 'seaside', 40],
      ['warn', 'alpine', 'too slow'],
      ['warn', 'alpine', 'a'],
      ['error', undefined, 'disk full'],
    ],
  );
  const text = await metrics.render();
  assert.match(text, /^staywire_sync_last_success_timestamp_seconds\{brand="seaside"\} 1800000000$/m);
  assert.match(text, /^staywire_sync_refreshes_total\{brand="alpine",outcome="timeout"\} 1$/m);
  assert.match(text, /^staywire_store_failures_total 1$/m);
});

test('the loading of stored homes is written with its rate', () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createSyncObserver({ metrics, log, clock });
  observer.loading(50_000, 5_000.4);
  observer.loaded(3, 0.2);
  assert.deepEqual(
    written().map(({ level, properties, duration_ms, per_second }) => [
      level,
      properties,
      duration_ms,
      per_second,
    ]),
    [
      ['info', 50_000, 5_000, 9_999],
      ['info', 3, 0, 3_000],
    ],
  );
});

test('what becomes of a snapshot of the index is written', () => {
  const { log, written } = setUp();
  const observer = createSnapshotObserver(log);
  observer.read(7, 1.6);
  observer.refused('is not whole');
  observer.written(8, 2.4);
  observer.failed(new Error('no room'));
  assert.deepEqual(
    written().map(({ level, bytes, duration_ms, reason, err }) => [
      level,
      bytes ?? reason ?? err.message,
      duration_ms,
    ]),
    [
      ['info', 7, 2],
      ['warn', 'is not whole', undefined],
      ['info', 8, 2],
      ['error', 'no room', undefined],
    ],
  );
});

test('a listing that is held back is named with its reason, once, and again when that changes', () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createSyncObserver({ metrics, log, clock });
  const first = [rejections('casa-1', 'name', 'addresses_assistant')];
  const second = [...first, rejections('casa-2', 'url', 'address_not_registered')];
  for (const listed of [first, first, second, [], first]) {
    const withValues = listed.map((held) => ({ ...held, value: 'what the operator wrote' }));
    observer.refreshed('seaside', 1500, 40, withValues, 0);
  }
  const warned = written().filter(({ level }) => level === 'warn');
  assert.deepEqual(
    warned.map(({ listings }) => listings),
    [first, second, first],
  );
});

test('only homes that are not on offer count as held back', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createSyncObserver({ metrics, log, clock });
  const held = rejections('casa-1', 'name', 'addresses_assistant');
  const repaired = { ...rejections('casa-2', 'summary', 'carries_address'), repaired: true as const };
  observer.refreshed('seaside', 1500, 40, [held, repaired, repaired], 2);
  assert.equal(written().find(({ msg }) => msg === 'brand read')?.held_back, 3);
  assert.match(await metrics.render(), /^staywire_sync_properties\{brand="seaside",state="held_back"\} 3$/m);
});

function rejections(reference: string, field: string, rule: RejectionRule): Rejection {
  return { reference, field, rule, reason: 'is not what it should be' };
}
test('an index that is full is an error of the log', () => {
  const { metrics, log, clock, written } = setUp();
  createSyncObserver({ metrics, log, clock }).indexFull('seaside', 12);
  assert.deepEqual(
    written().map(({ level, brand, calendars }) => [level, brand, calendars]),
    [['error', 'seaside', 12]],
  );
});

test('pauses and calendars that were too old are written, and pauses are counted', async () => {
  const { metrics, log, clock, written } = setUp();
  const observer = createSyncObserver({ metrics, log, clock });
  observer.paused('seaside', 9_999.6);
  observer.withdrawn('seaside', 12);
  assert.deepEqual(
    written().map(({ level, brand, pause_ms, properties }) => [level, brand, pause_ms ?? properties]),
    [
      ['info', 'seaside', 10_000],
      ['warn', 'seaside', 12],
    ],
  );
  assert.match(await metrics.render(), /^staywire_sync_pauses_total\{brand="seaside"\} 1$/m);
});

test('bookings that were too many are not called unreadable', () => {
  const { log, written } = setUp();
  const observer = createOutcomesObserver(log);
  observer.collected('casas', { bookings: 5, leftOut: 0, tooMany: 0 });
  observer.collected('casas', { bookings: 10_000, leftOut: 0, tooMany: 2_000 });
  observer.collected('casas', { bookings: 1, leftOut: 3, tooMany: 4 });
  assert.deepEqual(
    written().map(({ brand, bookings, left_out: leftOut, msg }) => [brand, bookings, leftOut, msg]),
    [
      ['casas', 10_000, 2_000, 'more bookings were reported than are taken at once or kept of a brand'],
      ['casas', 1, 3, 'bookings that could not be understood were left out'],
      ['casas', 1, 4, 'more bookings were reported than are taken at once or kept of a brand'],
    ],
  );
});
