import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** Writes one line for each file: how long its tests took, and how many there are at its top. */
// biome-ignore lint/style/noDefaultExport: the test runner asks for one.
export default async function* durationsOfFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, { ms: number; tests: number }>();
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0 || !data.file) continue;
    const file = relative(process.cwd(), data.file);
    const { ms, tests } = files.get(file) ?? { ms: 0, tests: 0 };
    files.set(file, { ms: ms + data.details.duration_ms, tests: tests + 1 });
  }
  for (const [file, sums] of files) yield `${JSON.stringify({ file, ...sums })}\n`;
}
