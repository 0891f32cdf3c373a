import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function deployedFile(name: string): string {
  return readFileSync(`${ROOT}deploy/${name}`, 'utf8');
}
