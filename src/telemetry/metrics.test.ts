import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('staywire_'));
}

test('what is recorded can be read', async () => {
  const metrics = createMetrics();
  metrics.request({ operation: 'search', status: 200, error: 'incomplete_payload', seconds: 0.003 });
  metrics.request({ operation: 'search', status: 200, error: 'incomplete_payload', seconds: 0.003 });
  metrics.request({ operation: 'other', status: 404, error: 'not_found', seconds: 0.001 });
  metrics.request({ operation: 'readResult', status: 200, error: null, seconds: 0.001 });
  metrics.step('complete');
  metrics.step('invalid_value');
  metrics.shed('search');
  metrics.quoteCall('seaside', 0.4, { quoted: 7, unavailable: 2, failures: new Map([['timeout', 3]]) });
  metrics.syncSucceeded('seaside', { at: 1_800_000_000_000, seconds: 2, properties: 40, rejections: 1 });
  metrics.syncFailed('alpine', 'unreachable');
  metrics.storeFailed();

  const lines = await linesOf(metrics);
  for (const line of [
    'staywire_http_requests_total{operation="search",status="200",error="incomplete_payload"} 2',
    'staywire_http_requests_total{operation="other",status="404",error="not_found"} 1',
    'staywire_http_requests_total{operation="readResult",status="200",error="none"} 1',
    'staywire_http_request_seconds_bucket{le="0.0025",operation="search"} 0',
    'staywire_http_request_seconds_bucket{le="0.005",operation="search"} 2',
    'staywire_search_steps_total{outcome="complete"} 1',
    'staywire_search_steps_total{outcome="invalid_value"} 1',
    'staywire_shed_requests_total{kind="search"} 1',
    'staywire_quotes_total{brand="seaside",outcome="quoted"} 7',
    'staywire_quotes_total{brand="seaside",outcome="unavailable"} 2',
    'staywire_quotes_total{brand="seaside",outcome="timeout"} 3',
    'staywire_quote_call_seconds_count{brand="seaside"} 1',
    'staywire_sync_refreshes_total{brand="seaside",outcome="succeeded"} 1',
    'staywire_sync_refreshes_total{brand="alpine",outcome="unreachable"} 1',
    'staywire_sync_last_success_timestamp_seconds{brand="seaside"} 1800000000',
    'staywire_sync_properties{brand="seaside",state="offered"} 40',
    'staywire_sync_properties{brand="seaside",state="held_back"} 1',
    'staywire_store_failures_total 1',
  ]) {
    assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join('\n')}`);
  }
});

test('a breaker is in exactly one state', async () => {
  const metrics = createMetrics();
  metrics.breaker('seaside', 'closed');
  metrics.breaker('seaside', 'open');
  const states = (await linesOf(metrics)).filter((line) => line.startsWith('staywire_breaker_state'));
  assert.deepEqual(states.toSorted(), [
    'staywire_breaker_state{brand="seaside",state="closed"} 0',
    'staywire_breaker_state{brand="seaside",state="half_open"} 0',
    'staywire_breaker_state{brand="seaside",state="open"} 1',
  ]);
});

test('watched readings are taken at each scrape', async () => {
  const metrics = createMetrics();
  let properties = 5;
  metrics.watch({ indexedProperties: () => properties });
  metrics.watch({ requestsInFlight: () => 3 });
  metrics.watch({ indexAgeMs: () => 1500 });
  assert.ok((await linesOf(metrics)).includes('staywire_index_properties 5'));
  properties = 6;
  const lines = await linesOf(metrics);
  assert.ok(lines.includes('staywire_index_properties 6'));
  assert.ok(lines.includes('staywire_http_requests_in_flight 3'));
  assert.ok(lines.includes('staywire_index_age_seconds 1.5'));
});

test('how fresh each brand is, is read at each scrape, and what is not known is left out', async () => {
  const metrics = createMetrics();
  let alpine: { lastSuccessAt: number | null; oldestCalendarMs: number | null } = {
    lastSuccessAt: 1_800_000_000_000,
    oldestCalendarMs: 90_500,
  };
  metrics.watch({
    brands: () => [{ brand: 'alpine', leads: true, pausedAt: 7, calendarsWaiting: 3, ...alpine }],
  });
  const ofSync = async () => (await linesOf(metrics)).filter((line) => line.startsWith('staywire_sync_'));
  assert.deepEqual(await ofSync(), [
    'staywire_sync_last_success_timestamp_seconds{brand="alpine"} 1800000000',
    'staywire_sync_oldest_calendar_seconds{brand="alpine"} 90.5',
    'staywire_sync_calendars_waiting{brand="alpine"} 3',
  ]);
  assert.ok((await linesOf(metrics)).includes('staywire_brand_leading{brand="alpine"} 1'));
  assert.ok((await linesOf(metrics)).includes('staywire_brand_paused{brand="alpine"} 1'));
  alpine = { lastSuccessAt: null, oldestCalendarMs: null };
  assert.deepEqual(await ofSync(), ['staywire_sync_calendars_waiting{brand="alpine"} 3']);
});

test('every series carries the node', async () => {
  const metrics = createMetrics({ node: 'stays-1' });
  metrics.watch({ indexedProperties: () => 7 });
  metrics.step('complete');
  metrics.request({ operation: 'search', status: 200, error: null, seconds: 0.003 });
  const rendered = await metrics.render();
  const series = rendered.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(
    series.filter((line) => !line.includes('node="stays-1"')),
    [],
  );
  assert.match(rendered, /^staywire_search_steps_total\{outcome="complete",node="stays-1"\} 1$/m);
  assert.match(rendered, /^staywire_index_properties\{node="stays-1"\} 7$/m);
});

test('what a store of servers tells is shown, and left out where there is none', async () => {
  const metrics = createMetrics();
  const names = /staywire_(store_up|ledger_queue|cluster_nodes)/;
  assert.deepEqual(
    (await linesOf(metrics)).filter((line) => names.test(line)),
    [],
  );
  metrics.watch({
    storeServers: () => ({ redis: true, postgres: false }),
    ledgerQueue: () => 3,
    ledgerQueueBytes: () => 900,
    liveNodes: () => 2,
  });
  metrics.storeCommand('redis', 0.0004);
  metrics.sessionContended('taken');
  const rendered = await metrics.render();
  for (const line of [
    'staywire_store_up{store="redis"} 1',
    'staywire_store_up{store="postgres"} 0',
    'staywire_ledger_queue 3',
    'staywire_ledger_queue_bytes 900',
    'staywire_cluster_nodes 2',
    'staywire_store_command_seconds_bucket{le="0.0005",store="redis"} 1',
    'staywire_session_contention_total{outcome="taken"} 1',
  ]) {
    assert.ok(rendered.split('\n').includes(line), `${line}\nis not in\n${rendered}`);
  }
});

test('the process is measured too, and two services in one process do not share counts', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.shed('auth');
  assert.match(await one.render(), /^nodejs_eventloop_lag_p99_seconds /m);
  assert.ok(!(await linesOf(other)).some((line) => line.startsWith('staywire_shed_requests_total{')));
});

test('brands are looked at once for each scrape, however many gauges show them', async () => {
  const metrics = createMetrics();
  let walks = 0;
  const homes = Array.from({ length: 1000 }, (_, at) => at);
  metrics.watch({
    brands() {
      walks += 1;
      const oldest = homes.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
      return [
        {
          brand: 'alpine',
          leads: true,
          pausedAt: null,
          lastSuccessAt: 5000,
          oldestCalendarMs: oldest + 7000,
          calendarsWaiting: 3,
        },
      ];
    },
  });
  for (const scrape of [1, 2]) {
    const lines = await linesOf(metrics);
    assert.equal(walks, scrape);
    for (const line of [
      'staywire_sync_last_success_timestamp_seconds{brand="alpine"} 5',
      'staywire_sync_oldest_calendar_seconds{brand="alpine"} 7',
      'staywire_sync_calendars_waiting{brand="alpine"} 3',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  }
});
