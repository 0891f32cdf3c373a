import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresSection } from './figures-section.ts';

test('the page about the figures names every column, whatever the range, and marks those with identifiers', async () => {
  const lines = (await figuresSection()).split('\n');
  const columnsOf = (table: string) =>
    lines
      .find((line) => line.startsWith(`| \`${table}\` |`))
      ?.split(' | ')
      .at(-1);
  assert.equal(
    columnsOf('periods'),
    '`hour` or `day` or `week`, `sessions`, `completed`, `requests`, `errors` |',
  );
  assert.equal(columnsOf('refusals'), '`stage`†, `refusal`†, `sessions` |');
  assert.equal(columnsOf('missing_places'), '`name`, `sessions` |');
});
