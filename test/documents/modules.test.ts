import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A module, which is a folder of `src/`, imports from layers below its own. Any may read time and draw random values. */
const LAYERS: readonly (readonly string[])[] = [
  ['client', 'parsing', 'stay'],
  ['catalogue', 'limits'],
  ['availability', 'contract'],
  ['sessions'],
  ['access', 'quotes'],
  ['outbound', 'search', 'sync'],
  ['connectors', 'requests'],
  ['analytics', 'network'],
  ['http', 'mcp', 'storage', 'telemetry'],
  ['cli', 'console'],
  ['app'],
];
const ENTRY_POINTS = ['src/main.ts', 'src/cli.ts'];
const FOR_ALL = ['src/clock.ts', 'src/random.ts'];
/** Transports learn nothing of where data is stored and of which booking system has it. */
const TRANSPORTS = ['http', 'mcp', 'console'];

/** Every way to name another file: import, export … from, import(), and the address of a worker. Types count too. */
const REFERENCE = /(?:\bfrom|\bimport|\bimport\.meta\.resolve|\bnew URL)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g;

type Import = { readonly file: string; readonly target: string };

const files = globSync('src/**/*.ts', { cwd: ROOT });
const imports = files.filter((file) => !isTest(file)).flatMap(importsOf);
/** The folders of one booking system or one store. A table of their own module, and the composition root, choose among them. */
const kinds = new Set(
  files
    .filter((file) => /^src\/(?:storage\/[^/]+\/|connectors\/[^/]+\/connector\.ts$)/.test(file))
    .map((file) => `${file.split('/').slice(0, 3).join('/')}/`),
);

describe('modules', () => {
  it('are the folders of the source, each in one layer', () => {
    const folders = new Set(files.map(moduleOf).filter((module) => module !== null));
    assert.deepEqual(LAYERS.flat().sort(), [...folders].sort());
  });

  it('import from layers below their own', () => {
    none(({ file, target }) => {
      const [module, other] = [moduleOf(file), moduleOf(target)];
      if (module === null || module === other) return false;
      return other === null ? !FOR_ALL.includes(target) : layerOf(other) >= layerOf(module);
    });
  });

  it('that are transports import neither storage nor booking systems', () => {
    none(
      ({ file, target }) =>
        TRANSPORTS.includes(moduleOf(file) ?? '') &&
        ['storage', 'connectors'].includes(moduleOf(target) ?? ''),
    );
  });

  it('never reach into a kind of booking system or of storage', () => {
    assert.ok(kinds.has('src/connectors/rate-card/') && kinds.has('src/storage/sqlite/'));
    none(
      ({ file, target }) =>
        kinds.values().some((kind) => target.startsWith(kind)) &&
        moduleOf(file) !== moduleOf(target) &&
        moduleOf(file) !== 'app' &&
        !ENTRY_POINTS.includes(file),
    );
  });
});

describe('files of the source', () => {
  it('never import each other in a circle, not even types', () => {
    const targets = Map.groupBy(imports, ({ file }) => file);
    const finished = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      const circle = path.indexOf(file);
      assert.equal(circle, -1, [...path.slice(circle), file].join(' → '));
      if (finished.has(file)) return;
      for (const { target } of targets.get(file) ?? []) visit(target, [...path, file]);
      finished.add(file);
    };
    for (const file of targets.keys()) visit(file, []);
  });

  it('never import a test or a suite of cases', () => none(({ target }) => isTest(target)));

  it('never reach out of their folder', () => none(({ target }) => !target.startsWith('src/')));
});

function none(forbidden: (one: Import) => boolean): void {
  assert.ok(imports.length > 300, 'the imports were found');
  assert.deepEqual(
    imports.filter(forbidden).map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
}

function layerOf(module: string): number {
  return LAYERS.findIndex((layer) => layer.includes(module));
}

/** Null for a file directly in `src/`. */
function moduleOf(file: string): string | null {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function isTest(file: string): boolean {
  return /\.(test|contract)\.ts$/.test(file);
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(REFERENCE)]
    .map(([, , path = '']) => ({ file, target: normalize(join(dirname(file), path)) }))
    .filter(({ target }) => target.endsWith('.ts'));
}
