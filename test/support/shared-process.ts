import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { afterEach, beforeEach, type SuiteContext, type TestContext } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before test files that share a process. Fails a test that changes the environment or the working directory. When
 * a file leaves something open that keeps the process alive, prints the file and exits instead of hanging.
 */
const MAX_QUIET_MS = 180_000;

// Worker threads inherit the arguments of the process, so they load this file too.
if (isMainThread) {
  guardEnvironment();
  endWithoutHanging();
}

function guardEnvironment(): void {
  const directory = process.cwd();
  const environment = { ...process.env };
  afterEach(() => {
    const names = Object.keys({ ...environment, ...process.env });
    const changed = names.filter((name) => process.env[name] !== environment[name]);
    const moved = process.cwd() !== directory;
    // Restored, so that later tests do not fail because of it.
    for (const name of changed) {
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    }
    if (moved) process.chdir(directory);
    assert.deepEqual(changed, [], 'the test changed the environment of all files in its process');
    assert.ok(!moved, 'the test changed the working directory of all files in its process');
  });
}

function endWithoutHanging(): void {
  const running = new Set<TestContext | SuiteContext>();
  const leftBy = new Map<string, ReadonlyMap<string, number>>();
  let lastSign = performance.now();
  let file: string | undefined;
  let openBefore = countOpen();

  beforeEach((test) => {
    if (test.filePath !== file) {
      noteWhatIsLeft();
      file = test.filePath;
    }
    running.add(test);
    lastSign = performance.now();
  });
  afterEach((test) => {
    running.delete(test);
    lastSign = performance.now();
  });
  setInterval(() => {
    // A hanging test is ended and reported by the timeout of the test runner.
    if (running.size > 0 || performance.now() - lastSign < MAX_QUIET_MS) return;
    noteWhatIsLeft();
    const open = countOpen();
    const lines = [...leftBy].flatMap(([name, left]) => {
      const kinds = [...left].filter(([kind]) => open.has(kind)).map(([kind, count]) => `${count} ${kind}`);
      return kinds.length > 0 ? [`${relative(process.cwd(), name)}: ${kinds.join(', ')}`] : [];
    });
    console.error(['The tests have ended, but their process cannot. Left open by', ...lines].join('\n'));
    process.exit(1);
  }, 1000).unref();

  function noteWhatIsLeft(): void {
    const open = countOpen();
    const more = [...open].map(([kind, count]) => [kind, count - (openBefore.get(kind) ?? 0)] as const);
    openBefore = open;
    if (file !== undefined) leftBy.set(file, new Map(more.filter(([, count]) => count > 0)));
  }
}

/** Resources that keep the process alive, such as servers, timers and child processes, by kind. */
function countOpen(): Map<string, number> {
  const groups = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return new Map([...groups].map(([kind, all]) => [kind, all.length]));
}
