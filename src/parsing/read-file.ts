import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';
import { invalid, type Reading, valid } from './reading.ts';

/** Otherwise opening a FIFO would wait for a writer. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** The text of a regular file of limited size. Devices, pipes and sockets have no end or never answer. */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    assertReadable(await file.stat(), maxBytes);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The same synchronously, for commands and for rare reads. */
export function readRegularFileNow(path: string, maxBytes: number): string {
  const file = openSync(path, WITHOUT_WAITING);
  try {
    assertReadable(fstatSync(file), maxBytes);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Whether the path does not exist, also because its folder is missing or is not a folder. */
export function isMissing(failure: unknown): boolean {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function assertReadable(found: Stats, maxBytes: number): void {
  if (found.isDirectory()) throw new Error('it is a folder, and not a file');
  if (!found.isFile()) throw new Error('it is a device, a pipe or a socket, and not a file');
  if (found.size > maxBytes) {
    throw new Error(`it has ${found.size} bytes, and more than ${maxBytes} are not read`);
  }
}

const MAX_REPEATED_REPORTED = 20;

/** The content of a JSON file written by people, so it may have comments. A fault completes the sentence "<path> …". */
export function readJsonFile(
  path: string,
  readText = (from: string) => readFileSync(from, 'utf8'),
): Reading<unknown> {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    return invalid(`cannot be read: ${messageOf(error)}`);
  }
  return readJsonText(text);
}

/** The same for a text. */
export function readJsonText(text: string): Reading<unknown> {
  const json = text.replace(/^\uFEFF/, '');
  const faults: ParseError[] = [];
  const value: unknown = parse(json, faults, { allowTrailingComma: true });
  const [first] = faults;
  if (first) return invalid(`is not valid JSON: ${describeFault(first, json)}`);
  const repeated = repeatedMembers(json);
  return repeated.length > 0 ? invalid(...repeated) : valid(value);
}

/** Finds repeated members: parsers use the last one, but people may edit the first. */
export function repeatedMembers(json: string): readonly string[] {
  const faults: string[] = [];
  const namesInOpenObjects: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => void namesInOpenObjects.push(new Set()),
    onObjectEnd: () => void namesInOpenObjects.pop(),
    onObjectProperty(name, _offset, _length, line, column) {
      const names = namesInOpenObjects.at(-1);
      if (names?.has(name) && faults.length < MAX_REPEATED_REPORTED) {
        faults.push(
          `has the member ${JSON.stringify(name)} twice in one object, the second time in line ${line + 1}, column ${column + 1}; only one of them can count`,
        );
      }
      names?.add(name);
    },
  });
  return faults;
}

function describeFault({ error, offset }: ParseError, text: string): string {
  const before = text.slice(0, offset).split('\n');
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return `${words} in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
