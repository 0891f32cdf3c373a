import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CONSOLE_DOORS, DOORS } from '../security/doors.ts';

const PAGE = new URL('../../docs/security.md', import.meta.url);
const ATTACKS = '../test/security/owasp.test.ts';
const page = readFileSync(PAGE, 'utf8');
const named = [...page.matchAll(/\[([^\]]+)\]\((\.\.\/test\/[^)]+\.test\.ts)\)/g)].map(
  ([, title = '', file = '']) => ({ title, file }),
);

const titlesIn = (file: string) =>
  [
    ...readFileSync(new URL(file, PAGE), 'utf8').matchAll(/^\s*(?:it|test|describe)\(\s*(['`])(.*?)\1/gms),
  ].map(([, , title = '']) => title);

describe('the page of doors and attacks', () => {
  it('has the doors of the list, in its order', () => {
    const rows = [...page.matchAll(/^\| `(\/[^`]*)` \| ([A-Z ]+) \| `([^`]+)` \|$/gm)];
    assert.deepEqual(
      rows.map(([, path, methods, guard]) => [path, methods, guard]),
      [...DOORS, ...CONSOLE_DOORS],
    );
  });

  it('has a row for each attack, under the risk that it belongs to, and no other row', () => {
    const source = readFileSync(new URL(ATTACKS, PAGE), 'utf8');
    const tried = [...source.matchAll(/^(describe| {2}it)\(\s*'(.*?)',/gm)].map(([, kind, title]) =>
      kind === 'describe' ? `### ${title}` : title,
    );
    const shown = [
      ...page.matchAll(/^(### .*)$|^\| .* \[([^\]]+)\]\(\.\.\/test\/security\/owasp\.test\.ts\) \|$/gm),
    ];
    assert.ok(tried.length > 30);
    assert.deepEqual(
      shown.map(([, heading, title]) => heading ?? title),
      tried,
    );
    const risks = tried.filter((title) => title?.startsWith('### ')).map((title) => title?.split(' ')[1]);
    assert.deepEqual(
      risks,
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
  });

  it('names tests that there are, by their titles or the beginning of them', () => {
    for (const { title, file } of named) {
      if (/^[\w-]+\.test\.ts$/.test(title)) continue;
      assert.ok(existsSync(new URL(file, PAGE)), file);
      assert.ok(
        titlesIn(file).some((written) => written.startsWith(title)),
        `${file} has no test “${title}”`,
      );
    }
  });
});
