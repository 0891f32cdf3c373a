import { readFileSync } from 'node:fs';
import { invalid, type Reading, valid } from './reading.ts';

/** The content of a JSON file. A fault completes the sentence "<path> …". */
export function readJsonFile(path: string): Reading<unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return invalid(`cannot be read: ${messageOf(error)}`);
  }
  try {
    return valid(JSON.parse(text));
  } catch (error) {
    return invalid(`is not valid JSON: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
