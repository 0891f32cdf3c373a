import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const LINK = /\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g;

const sectionOf = (title: string) => page.split(`\n## ${title}`)[1]?.split('\n## ')[0] ?? '';
const rows = sectionOf('What each can at most do')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (it tries|what happens) /.test(line));

describe('the threat model', () => {
  it('backs every row with a test', () => {
    assert.ok(rows.length > 30);
    for (const row of rows) assert.match(row, new RegExp(LINK.source), row);
  });

  it('names tests that there are, by their titles', () => {
    for (const [, title = '', file = ''] of page.matchAll(LINK)) {
      assert.ok(existsSync(join(ROOT, file)), file);
      const titles =
        readFileSync(join(ROOT, file), 'utf8').match(/\b(?:it|test|describe)\(\s*['`].*['`]/g) ?? [];
      assert.ok(
        titles.some((written) => written.includes(title)),
        `${file} has no test “${title}”`,
      );
    }
  });
});
