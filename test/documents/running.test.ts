import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createMetrics } from '../../src/observe/metrics.ts';
import { settingsTable } from '../../src/settings.ts';

const guide = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8');

test('the guide lists every setting with its default and meaning, and no other', () => {
  const rows = settingsTable.map(
    ({ name, fallback, meaning }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`,
  );
  const listed = guide.split('\n').filter((line) => /^\| `(PORT|HOST|STAYWIRE_\w+)`/.test(line));
  assert.deepEqual(listed, rows);
});

test('the guide lists every metric of ours, and no other', async () => {
  const rendered = await createMetrics().render();
  const rows = [...rendered.matchAll(/^# HELP (staywire\S+) (.*)$/gm)].map(
    ([, name, help]) => `| \`${name}\` | ${help} |`,
  );
  const listed = guide.split('\n').filter((line) => line.startsWith('| `staywire_'));
  assert.deepEqual(listed, rows);
});
