import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FENCED_CODE = /^```.*?^```/gms;

/** Each file of the repository that a page links to, relative to the page. */
function linksIn(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replace(FENCED_CODE, '');
  const addresses = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
  return addresses.flatMap((address) => (/^(?:[a-z]+:|#)/.test(address) ? [] : [address.replace(/#.*/, '')]));
}

it('relative links in Markdown lead to files that exist', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] }).map(
    (page) => join(ROOT, page),
  );
  assert.ok(pages.length > 20);
  const broken = pages.flatMap((page) =>
    linksIn(page)
      .filter((link) => !existsSync(join(dirname(page), link)))
      .map((link) => `${relative(ROOT, page)}: ${link}`),
  );
  assert.deepEqual(broken, []);
});
