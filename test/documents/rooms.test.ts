import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)\/` \| .* \| (.*) \|$/gm)];
const mayImport = new Map(
  rows.map(([, room = '', others = '']) => [room, others === 'nothing' ? [] : others.split(', ')]),
);

test('rooms import what the architecture says they may, and their imports never run in a circle', () => {
  const used = new Map([...mayImport.keys()].map((room) => [room, new Set<string>()]));
  for (const file of globSync('src/*/**/*.ts', { cwd: ROOT })) {
    if (/\.(test|contract)\.ts$/.test(file)) continue;
    const room = file.split('/')[1] ?? '';
    assert.ok(mayImport.has(room), `${room} is not described`);
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const target = normalize(join(dirname(file), path));
      assert.ok(target.startsWith('src/'), `${file} imports ${target}`);
      const other = target.split('/')[1] ?? '';
      if (other !== room && !other.endsWith('.ts')) used.get(room)?.add(other);
    }
  }
  for (const [room, others] of used)
    assert.deepEqual([...others].sort(), mayImport.get(room)?.toSorted(), room);

  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(used.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  for (const room of used.keys()) assert.ok(!reaches(room, room), `${room} imports itself in a circle`);
});
