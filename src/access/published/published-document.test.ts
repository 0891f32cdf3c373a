import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createCopiesInFolder, type PublishedAddress } from './published-document.ts';

const LIST: PublishedAddress = { kind: 'ranges', url: 'https://assistant.example/ranges.json?a=../../b' };
const KEYS: PublishedAddress = { ...LIST, kind: 'keys' };
const COPY = { confirmedAt: Date.parse('2026-11-17T04:30:00Z'), text: '["11.1.0.0/16"]' };

function setUp(t: TestContext) {
  const folder = join(temporaryDirectory(t), 'data', 'published');
  const faults: string[] = [];
  const open = () => createCopiesInFolder({ folder, onFault: (error) => faults.push(String(error)) });
  const file = () => join(folder, readdirSync(folder)[0] ?? '');
  return { folder, faults, open, file };
}

describe('copies in a folder', () => {
  it('outlive the process, readable by their owner alone', (t) => {
    const { open, file, folder, faults } = setUp(t);
    assert.equal(open().read(LIST), null);
    open().write(LIST, COPY);
    assert.deepEqual(open().read(LIST), COPY);
    assert.equal(open().read(KEYS), null, 'another kind at the same address');
    assert.equal(open().read({ ...LIST, url: 'https://other.example/' }), null);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(faults, []);
  });

  it('are replaced whole', (t) => {
    const { open, folder } = setUp(t);
    open().write(LIST, COPY);
    open().write(LIST, { ...COPY, text: '[]' });
    assert.deepEqual(open().read(LIST), { ...COPY, text: '[]' });
    assert.equal(readdirSync(folder).length, 1);
  });

  const damages: Readonly<Record<string, (file: string) => void>> = {
    'cut off': (file) => truncateSync(file, 20),
    empty: (file) => truncateSync(file, 0),
    'no JSON': (file) => writeFileSync(file, 'x'.repeat(100)),
    'of another shape': (file) => writeFileSync(file, '{"kind":"ranges"}'),
    'without a date': (file) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace('2026-11-17', 'yesterday')),
    'about another address': (file) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace('assistant.example', 'stranger.example')),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`that are ${what} count as none, are reported, and can be written again`, (t) => {
      const { open, file, faults } = setUp(t);
      open().write(LIST, COPY);
      damage(file());
      assert.equal(open().read(LIST), null);
      assert.equal(faults.length, 1);
      open().write(LIST, COPY);
      assert.deepEqual(open().read(LIST), COPY);
    });
  }

  it('that are too large to be ours are not read', (t) => {
    const { open, file } = setUp(t);
    open().write(LIST, COPY);
    truncateSync(file(), 5 * 1024 * 1024);
    assert.equal(open().read(LIST), null);
  });

  it('are removed when their document is not wanted, and nothing else is', (t) => {
    const { open, folder } = setUp(t);
    open().keepOnly([]);
    open().write(LIST, COPY);
    open().write(KEYS, COPY);
    writeFileSync(join(folder, 'notes.txt'), '');
    open().keepOnly([KEYS]);
    assert.deepEqual(
      readdirSync(folder)
        .map((name) => name.replace(/[0-9a-f]{32}/, '…'))
        .sort(),
      ['keys-….json', 'notes.txt'],
    );
  });

  it('that cannot be written are reported, and nothing is thrown', (t) => {
    const { folder, faults, open } = setUp(t);
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    open().write(LIST, COPY);
    assert.equal(open().read(LIST), null);
    assert.ok(faults.length > 0);
  });
});
