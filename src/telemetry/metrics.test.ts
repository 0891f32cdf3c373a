import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('staywire_'));
}

test('counts, times and states are shown with the node, and two services in one process share none', async () => {
  const metrics = createMetrics({ node: 'a' });
  metrics.count('quotes', { brand: 'seaside', outcome: 'quoted' }, 7);
  metrics.count('storeFailures', {});
  metrics.time('answer', { operation: 'search' }, 0.003);
  metrics.set('breaker', { brand: 'seaside', state: 'open' }, 1);
  const lines = await linesOf(metrics);
  for (const line of [
    'staywire_quotes_total{brand="seaside",outcome="quoted",node="a"} 7',
    'staywire_store_failures_total{node="a"} 1',
    'staywire_http_request_seconds_bucket{le="0.005",node="a",operation="search"} 1',
    'staywire_breaker_state{brand="seaside",state="open",node="a"} 1',
    'staywire_registry_in_force{node="a"} 1',
  ]) {
    assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join('\n')}`);
  }
  const other = createMetrics();
  assert.match(await other.render(), /^nodejs_eventloop_lag_p99_seconds /m);
  assert.ok(!(await linesOf(other)).some((line) => line.startsWith('staywire_quotes_total{')));
});

test('readings are taken once for each scrape, and what is not known has no series', async () => {
  const metrics = createMetrics();
  const gauges = /^staywire_(index|store_up|ledger|cluster|sync_last|sync_oldest|brand|published)/;
  const shown = async () => (await linesOf(metrics)).filter((line) => gauges.test(line));
  assert.deepEqual(await shown(), []);
  let walks = 0;
  let lastSuccessAt: number | null = 1_800_000_000_000;
  const url = 'https://a.example/list.json?key=secret';
  metrics.watch({
    brands() {
      walks += 1;
      const rest = { oldestCalendarMs: 90_500, calendarsWaiting: 3, leads: true, pausedAt: null };
      return [{ brand: 'alpine', lastSuccessAt, ...rest }];
    },
    indexAgeMs: () => 1500,
    storeServers: () => ({ redis: true, postgres: false }),
    published: () => [{ kind: 'ranges', url, ageMs: 2000, isTooOld: false } as never],
  });
  assert.deepEqual(await shown(), [
    'staywire_sync_last_success_timestamp_seconds{brand="alpine"} 1800000000',
    'staywire_sync_oldest_calendar_seconds{brand="alpine"} 90.5',
    'staywire_brand_leading{brand="alpine"} 1',
    'staywire_brand_paused{brand="alpine"} 0',
    'staywire_store_up{store="redis"} 1',
    'staywire_store_up{store="postgres"} 0',
    'staywire_published_age_seconds{kind="ranges",address="https://a.example/list.json"} 2',
    'staywire_published_usable{kind="ranges",address="https://a.example/list.json"} 1',
    'staywire_index_age_seconds 1.5',
  ]);
  lastSuccessAt = null;
  metrics.watch({ published: () => [] });
  const later = await shown();
  assert.ok(!later.some((line) => /last_success|published/.test(line)));
  assert.equal(walks, 2);
});
