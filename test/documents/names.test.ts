import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPE =
  /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)(?=\s*[<={]|\s+(?:extends|implements)\b)/gm;
const EXPORTED_FUNCTION =
  /^export (?:async )?function\*? ?(\w+)|^export const (\w+)(?:: [^=]+)? = (?:async )?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>/gm;
const WRONG_LIMIT = /\b((?:MOST|LONGEST|LARGEST|MAXIMUM)_\w+)/g;
const WRONG_UNIT = /\b(\w*(?:Milliseconds|_MILLISECONDS))\b/g;

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.(test|contract)\.ts$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(ROOT, file), 'utf8')) }));

describe('the names of the source', () => {
  it('no two types share one', () =>
    assert.deepEqual(
      shared(TYPE, (file) => file),
      {},
    ));

  it('no two exported functions share one, but for the same file of each kind of storage', () => {
    const onePerKind = (file: string) => file.replace(/^src\/storage\/[^/]+\//, 'src/storage/*/');
    assert.deepEqual(shared(EXPORTED_FUNCTION, onePerKind), {});
  });

  it('limits begin with MAX_ or MIN_', () => assert.deepEqual(namesOf(WRONG_LIMIT), {}));

  it('milliseconds are Ms', () => assert.deepEqual(namesOf(WRONG_UNIT), {}));
});

/** Names that are declared in more than one place, with the places. */
function shared(declaration: RegExp, placeOf: (file: string) => string): Record<string, string[]> {
  const names = Object.entries(namesOf(declaration));
  assert.ok(names.length > 100, 'the declarations were found');
  return Object.fromEntries(
    names.filter(([, files]) => new Set(files.map(placeOf)).size > 1 || new Set(files).size < files.length),
  );
}

function namesOf(pattern: RegExp): Record<string, string[]> {
  const found = sources.flatMap(({ file, code }) =>
    [...code.matchAll(pattern)].map((groups) => ({ file, name: groups.slice(1).join('') })),
  );
  const places = Object.entries(Object.groupBy(found, ({ name }) => name));
  return Object.fromEntries(places.map(([name, all = []]) => [name, all.map(({ file }) => file)]));
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
