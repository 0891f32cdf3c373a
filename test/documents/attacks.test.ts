import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { CONSOLE_DOORS, DOORS } from '../security/doors.ts';

it('docs/security.md lists the endpoints that the tests try, in their order', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\/[^`]*)` \| ([A-Z ]+) \| `([^`]+)` \|$/gm)];
  assert.deepEqual(
    rows.map(([, path, methods, guard]) => [path, methods, guard]),
    [...DOORS, ...CONSOLE_DOORS],
  );
});
