import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import fc from 'fast-check';
import { scaledCases } from '../../test/support/property-cases.ts';
import { shellCommand } from './faults.ts';

it('a command that is shown is on one line where it fits, and else broken before options', () => {
  assert.equal(
    shellCommand(['connect', 'harbor', '--host', 'a.example']),
    'staywire connect harbor --host a.example',
  );
  assert.equal(
    shellCommand(['connect', 'harbor', '--stay-url', `https://a.example/${'x'.repeat(50)}?a={check_in}`]),
    `staywire connect harbor \\\n    --stay-url 'https://a.example/${'x'.repeat(50)}?a={check_in}'`,
  );
});

it('a command that is shown means the same to a shell', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab -\'"$`\\{}&;*?!~#\n'), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const script = `staywire() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${shellCommand(words)}`;
      const said = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
      assert.deepEqual(said.split('\0').slice(0, -1), words);
    }),
    { numRuns: scaledCases(40) },
  );
});
