import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED_DOCUMENTS } from '../../src/app/documents.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

for (const [path, documentFrom] of Object.entries(GENERATED_DOCUMENTS)) {
  test(`${path} is what the code says; npm run generate writes it`, async () => {
    assert.equal(textOf(path), await documentFrom(textOf(path)));
  });
}

test('the guide has a row for every setting and every metric of ours', async () => {
  const guide = textOf('docs/running.md');
  for (const row of [
    '| `PORT` | `8080` | Port of the interface; 0 takes a free one. |',
    '| `STAYWIRE_NETWORK` | required | ',
    '| `STAYWIRE_PUBLIC_URL` |  | ',
    '| `staywire_http_request_seconds` | Time from request to answer. |',
  ]) {
    assert.ok(guide.includes(row), row);
  }
});

test('a generated section replaces what stood there, and a document without its markers is refused', async () => {
  const documentFrom = GENERATED_DOCUMENTS['docs/running.md'];
  assert.ok(documentFrom);
  const guide = textOf('docs/running.md');
  const outdated = guide.replace('| `PORT` | `8080` |', '| `PORT` | `9090` |').replace(/^\| `HOST`.*\n/m, '');
  assert.notEqual(outdated, guide);
  assert.equal(await documentFrom(outdated), guide);
  await assert.rejects(documentFrom('# Running'), /no generated section "settings"/);
});
