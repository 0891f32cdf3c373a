import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { promtool, skippedWithoutPromtool } from '../support/promtool.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { readYaml } from '../support/yaml.ts';
import { deployedFile, ROOT } from './deployed-files.ts';

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly guide: string };
};
type Dashboard = {
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

const { groups } = readYaml(deployedFile('alert-rules.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard: Dashboard = JSON.parse(deployedFile('grafana-dashboard.json'));
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('every metric that an alert or a panel names is one that the service shows', async () => {
  const rendered = await createMetrics().render();
  const shown = new Set(['up']);
  for (const [, name = '', type] of rendered.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      shown.add(name + suffix);
  }
  const variables = dashboard.templating.list.map(({ query }) =>
    typeof query === 'string' ? query : query.query,
  );
  const texts = [...rules.map(({ expr }) => expr), ...queries, ...variables];
  const named = texts.flatMap((text) => text.match(/\b(?:staywire|process|nodejs)_\w+/g) ?? []);
  assert.ok(named.length > 30, 'the metrics were found');
  assert.deepEqual(
    named.filter((name) => !shown.has(name)),
    [],
  );
});

const skip = skippedWithoutPromtool('the alert rules and the dashboard’s queries');

test('the alerts are raised when they should be, and not before', { skip }, () => {
  for (const args of [
    ['check', 'rules', `${ROOT}deploy/alert-rules.yaml`],
    ['test', 'rules', `${ROOT}deploy/alert-rules.test.yaml`],
  ]) {
    const { isGood, output } = promtool(...args);
    assert.ok(isGood, output);
  }
});

test('Prometheus understands every query of the dashboard', { skip }, (t) => {
  // As rules, because promtool reads these without a server. Grafana fills in its variables.
  const filled = queries.map((query) => query.replaceAll('$__rate_interval', '5m').replaceAll('$node', '.*'));
  assert.doesNotMatch(filled.join('\n'), /\$/);
  const file = join(temporaryDirectory(t), 'queries.json');
  const asRules = filled.map((expr, at) => ({ record: `query_${at}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
  const { isGood, output } = promtool('check', 'rules', file);
  assert.ok(isGood, output);
});
