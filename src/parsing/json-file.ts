import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';
import { invalid, type Reading, valid } from './reading.ts';

const MAX_REPEATED_TOLD = 20;

/** The content of a JSON file, which may have comments: people write it. A fault completes the sentence "<path> …". */
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

/** The same of a text. */
export function readJsonText(text: string): Reading<unknown> {
  const json = text.replace(/^\uFEFF/, '');
  const faults: ParseError[] = [];
  const value: unknown = parse(json, faults, { allowTrailingComma: true });
  const [first] = faults;
  if (first) return invalid(`is not valid JSON: ${describeFault(first, json)}`);
  const repeated = repeatedMembers(json);
  return repeated.length > 0 ? invalid(...repeated) : valid(value);
}

/** Whoever reads an object goes by the last of two members of one name, and whoever edits it by the first. */
export function repeatedMembers(json: string): readonly string[] {
  const faults: string[] = [];
  const namesInOpenObjects: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => void namesInOpenObjects.push(new Set()),
    onObjectEnd: () => void namesInOpenObjects.pop(),
    onObjectProperty(name, _offset, _length, line, column) {
      const names = namesInOpenObjects.at(-1);
      if (names?.has(name) && faults.length < MAX_REPEATED_TOLD) {
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
