import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The object graph and the program: the only files that choose among implementations. */
const COMPOSITION = [
  'src/app/service.ts',
  'src/app/search-engine.ts',
  'src/app/request-handler.ts',
  'src/app/connect-network.ts',
  'src/main.ts',
  'src/app/cli-tools.ts',
];
/** The only files outside the rooms that every room may import. */
const SHARED_FILES = ['src/clock.ts', 'src/random.ts', 'src/parsing/worker-file.ts'];
/** Every way to name another file: import, export … from, import(), and the address of a worker. */
const REFERENCE = /(?:\bfrom|\bimport|\bimport\.meta\.resolve|\bnew URL)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g;

/** In a document: a folder, or a file in one. */
const PATH = /(?<![\w./-])(?:[a-z][\w-]*\/)+(?:[\w.-]+\.\w+)?(?![\w/<])/g;

type Import = { readonly file: string; readonly target: string };

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const mayImport = new Map(
  [...page.matchAll(/^\| `(\w+)\/` \| .* \| (.*) \|$/gm)].map(([, room = '', others = '']) => [
    room,
    others === 'nothing' ? [] : others.split(', '),
  ]),
);
const files = globSync('src/**/*.ts', { cwd: ROOT });
const folders = new Set(files.map(roomOf).filter((room) => room !== null));
/** The folders of which a table lists each: a booking system has a connector, and everything in storage is a store. */
const kinds = [
  ...files.filter((file) => /^src\/operators\/[^/]+\/connector\.ts$/.test(file)),
  ...files.filter((file) => /^src\/storage\/[^/]+\//.test(file)),
].map((file) => `${dirname(file)}/`);
const imports = files.filter((file) => !isTest(file)).flatMap(importsOf);

describe('the rooms', () => {
  it('are the folders of the source, each with its row in the architecture', () => {
    assert.deepEqual([...mayImport.keys()].sort(), [...folders].sort());
  });

  it('import what the architecture says they may, and all of it', () => {
    const used = usedRooms();
    for (const [room, others] of mayImport) {
      assert.deepEqual([...(used.get(room) ?? [])].sort(), others.toSorted(), room);
    }
  });

  it('never import each other in a circle', () => {
    const used = usedRooms();
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(used.get(from) ?? [])].some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    for (const room of folders) assert.ok(!reaches(room, room), `${room} imports itself in a circle`);
  });

  it('take nothing but the clock, randomness and what threads share from the files above them', () => {
    none(
      ({ file, target }) =>
        roomOf(file) !== null &&
        target.startsWith('src/') &&
        roomOf(target) === null &&
        !SHARED_FILES.includes(target),
    );
  });

  it('know booking systems by their port', () => {
    for (const room of ['quotes', 'sync']) {
      assert.ok(!mayImport.get(room)?.includes('operators'), `${room} may not import operators`);
    }
    none(
      ({ file, target }) => ['quotes', 'sync'].includes(roomOf(file) ?? '') && roomOf(target) === 'operators',
    );
  });

  it('never reach into a kind of booking system or of storage', () => {
    assert.ok(kinds.includes('src/connectors/rate-card/') && kinds.includes('src/storage/sqlite/'));
    none(
      ({ file, target }) =>
        kinds.some((kind) => target.startsWith(kind)) &&
        roomOf(file) !== roomOf(target) &&
        !COMPOSITION.includes(file),
    );
  });
});

describe('the pages about the code', () => {
  it('name files and folders that there are', () => {
    const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      return [...text.matchAll(PATH)].map(([path]) => path);
    });
    assert.ok(named.length > 60, 'the paths were found');
    const isThere = (path: string) => existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path));
    assert.deepEqual(
      [...new Set(named)].filter((path) => !isThere(path)),
      [],
    );
  });

  it('name every file directly in src/', () => {
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const files = globSync('src/*.ts', { cwd: ROOT }).map((path) => path.slice('src/'.length));
    assert.deepEqual(
      files.filter((file) => !file.endsWith('.test.ts') && !text.includes(`\`${file}\``)),
      [],
    );
  });
});

describe('the source', () => {
  it('never imports a test or a suite of cases', () => none(({ target }) => isTest(target)));

  it('never reaches out of its folder', () => none(({ target }) => !target.startsWith('src/')));
});

function none(forbidden: (one: Import) => boolean): void {
  assert.ok(imports.length > 300, 'the imports were found');
  assert.deepEqual(
    imports.filter(forbidden).map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
}

function usedRooms(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [room, other] = [roomOf(file), roomOf(target)];
    if (room !== null && other !== null && room !== other) {
      used.set(room, (used.get(room) ?? new Set()).add(other));
    }
  }
  return used;
}

/** Null for a file outside the rooms. */
function roomOf(file: string): string | null {
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
