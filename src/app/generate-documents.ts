import { readFileSync, writeFileSync } from 'node:fs';
import { GENERATED_DOCUMENTS } from './documents.ts';

/** `npm run generate`: writes the documents that are generated from the code. They are committed, and a test compares them. */
for (const [path, documentFrom] of Object.entries(GENERATED_DOCUMENTS)) {
  const file = new URL(`../../${path}`, import.meta.url);
  writeFileSync(file, await documentFrom(readFileSync(file, 'utf8')));
}
