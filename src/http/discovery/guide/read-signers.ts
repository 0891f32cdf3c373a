import { readFileSync } from 'node:fs';
import type { Signers } from './guide.ts';

const FOLDER = new URL('../../../../docs/examples/signing/', import.meta.url);

/** The programs as they are in the examples, where tests run them. */
export function readSigners(): Signers {
  const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return { typescript: textOf('sign-request.ts'), python: textOf('sign_request.py') };
}

/** The published package does not have the examples, but the page shows them. */
export function signersModule(signers: Signers): string {
  return [
    '// Written by npm run generate from docs/examples/signing/.',
    `export const SIGNERS = ${JSON.stringify(signers)};`,
    '',
  ].join('\n');
}
