import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const PAGE = new URL('../../docs/for-assistants.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
/** The chapter that networks publish as a page of their own, with two whole programs. */
const [GUIDE = ''] = /^<!-- generated: how to get in -->$.*?^<!-- end of generated -->$/ms.exec(page) ?? [];
const chapters = page.replace(GUIDE, '');

/** The code of the page, each piece with the file that the text before it links to. */
function excerpts(): { readonly file: string; readonly code: string }[] {
  return [...chapters.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => ({
    file:
      [...chapters.slice(0, index).matchAll(/\]\((examples\/assistants\/[\w-]+\.ts)\)/g)].at(-1)?.[1] ?? '',
    code,
  }));
}

describe('the page for authors of assistants', () => {
  it('shows code that is in the recipe it links to, which a test runs', () => {
    const found = excerpts();
    assert.deepEqual(
      [...new Set(found.map(({ file }) => file))],
      ['mcp-client', 'ai-sdk', 'langchain', 'rest'].map((name) => `examples/assistants/${name}.ts`),
    );
    for (const { file, code } of found) {
      assert.ok(readFileSync(new URL(file, PAGE), 'utf8').includes(code), `${file} does not have:\n${code}`);
    }
  });
});
