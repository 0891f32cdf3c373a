import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { invalid, type Reading, valid } from './reading.ts';

/** The content of a JSON file, which may have comments: people write it. A fault completes the sentence "<path> …". */
export function readJsonFile(path: string): Reading<unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return invalid(`cannot be read: ${messageOf(error)}`);
  }
  return readJsonText(text);
}

/** The same of a text. */
export function readJsonText(text: string): Reading<unknown> {
  const faults: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), faults, { allowTrailingComma: true });
  const [first] = faults;
  return first ? invalid(`is not valid JSON: ${describeFault(first, text)}`) : valid(value);
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
