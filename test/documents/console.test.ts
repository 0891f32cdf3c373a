import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PAGES } from '../../src/console/layout.ts';
import { MAX_COUNTED } from '../../src/sessions/session.ts';
import { CONSOLE_ACTIONS } from '../../src/telemetry/audit/audit-record.ts';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** What stands in backticks between the parentheses that follow these words. */
function listedAfter(words: string): readonly string[] {
  const [, list = ''] = page('audit-log.md').split(`${words} (`);
  return [...(list.split(')')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

describe('the page of the audit log', () => {
  it('lists every action of the console, in its order', () =>
    assert.deepEqual(listedAfter('its `action`'), Object.keys(CONSOLE_ACTIONS)));

  it('lists those of which strangers can cause too many', () =>
    assert.deepEqual(
      listedAfter('what strangers try at the console'),
      Object.entries(CONSOLE_ACTIONS).flatMap(([action, by]) => (by === 'strangers' ? [action] : [])),
    ));
});

describe('the page of the console', () => {
  it('has a row for each of its pages, in the order of the navigation', () => {
    const rows = [...page('console.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)];
    assert.deepEqual(
      rows.map(([, name]) => name),
      Object.values(PAGES),
    );
  });
});

it('the page of the reports says how much is counted of one session', () =>
  assert.ok(page('reports.md').includes(`at most ${MAX_COUNTED} different wishes`)));
