import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { systemClock } from '../clock.ts';
import { changeNetworkFile, readNetworkDocument, withBrand } from './network-file.ts';

function documentFrom(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-edit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'network.jsonc');
  writeFileSync(path, text);
  return readNetworkDocument(path);
}

const FILE = `{
  "name": "Mine", // ours
  "places": [
    /* the capital */ { "id": "lisbon", "name": "Lisbon" }
  ],
  "brands": [
    // the first
    { "source": "a", "name": "A", "website": { "hosts": ["a.example"] /* only one */ }, "places": { "Lx": "lisbon" },
      "booking_system": { "kind": "open", "url": "https://a.example", /* slow */ "timeout_ms": 900 } },
    { "source": "b", "name": "B" } // the last
  ],
}
`;

describe('an edit of a network file', () => {
  it('adds a brand, and changes nothing else', (t) => {
    const document = documentFrom(t, FILE);
    const text = withBrand(document, { source: 'c', name: 'C' });
    const before = parse(FILE);
    assert.deepEqual(parse(text), { ...before, brands: [...before.brands, { source: 'c', name: 'C' }] });
    for (const comment of [
      '// ours',
      '/* the capital */',
      '// the first',
      '/* only one */',
      '/* slow */',
      '// the last',
    ])
      assert.ok(text.includes(comment), comment);
  });

  it('changes a brand member by member, and takes away what is gone', (t) => {
    const document = documentFrom(t, FILE);
    const brand = {
      source: 'a',
      name: 'A',
      website: { hosts: ['a.example'], stay_url: 'https://a.example/{reference}' },
      places: { Lx: 'lisbon' },
      booking_system: { kind: 'open', url: 'https://b.example' },
    };
    const text = withBrand(document, brand);
    assert.deepEqual(parse(text).brands[0], brand);
    assert.deepEqual(parse(text).brands[1], { source: 'b', name: 'B' });
    for (const comment of ['// ours', '// the first', '/* only one */', '// the last'])
      assert.ok(text.includes(comment), comment);
  });

  it('leaves the text as it is when nothing differs', (t) => {
    const document = documentFrom(t, FILE);
    const [first] = document.brands;
    assert.ok(first);
    assert.equal(withBrand(document, first), FILE);
  });

  it('counts entries that are none, and reads a file that begins with a mark', (t) => {
    const document = documentFrom(
      t,
      '\uFEFF{ "places": [], "brands": [null, { "source": "a", "name": "A" }] }',
    );
    assert.deepEqual(parse(withBrand(document, { source: 'a', name: 'B' })).brands, [
      null,
      { source: 'a', name: 'B' },
    ]);
  });

  it('says where a file is not JSON, and that a list is no network', (t) => {
    assert.throws(
      () => documentFrom(t, '{\n  "name": }'),
      /is not valid JSON: value expected in line 2, column 11/,
    );
    assert.throws(() => documentFrom(t, '[]'), /is not a network file/);
    assert.throws(() => readNetworkDocument('/nowhere/network.jsonc'), /cannot be read/);
  });
});

it('the example of the guide is a file that can be edited', (t) => {
  const path = new URL('../../docs/examples/network.json', import.meta.url);
  const document = documentFrom(t, readFileSync(path, 'utf8'));
  assert.ok(document.brands.length > 0 && document.places.length > 0);
});

describe('a change of a network file', () => {
  it('loses nothing of what another command writes at the same time', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'staywire-edit-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'network.jsonc');
    writeFileSync(path, '{ "places": [], "brands": [] }');
    const modules = ['./network-file.ts', '../clock.ts'].map((name) => new URL(name, import.meta.url).href);
    const script = `
      const [path, who, file, clocks] = process.argv.slice(1);
      const { changeNetworkFile, withBrand } = await import(file);
      const { systemClock: clock } = await import(clocks);
      for (let number = 0; number < 20; number += 1)
        await changeNetworkFile(path, { clock, maxWaitMs: 120_000 }, (document) =>
          withBrand(document, { source: who + number }));`;
    const run = promisify(execFile);
    const words = ['--input-type=module', '--eval', script, '--', path];
    await Promise.all(['a', 'b'].map((who) => run(process.execPath, [...words, who, ...modules])));
    assert.equal(readNetworkDocument(path).brands.length, 40);
    assert.deepEqual(readdirSync(folder), ['network.jsonc']);
  });

  it('says whether anything is different', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'staywire-edit-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'network.jsonc');
    writeFileSync(path, FILE);
    const add = () =>
      changeNetworkFile(path, { clock: systemClock }, (document) => withBrand(document, { source: 'c' }));
    assert.deepEqual([await add(), await add()], [true, false]);
  });
});
