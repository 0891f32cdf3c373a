import { readFileSync, writeFileSync } from 'node:fs';
import { PUBLISHED_DOCUMENTS } from './published-documents.ts';

/** `npm run generate`: writes the documents about network files and operators that are committed and compared by tests. */
for (const [name, documentFrom] of Object.entries(PUBLISHED_DOCUMENTS)) {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  writeFileSync(file, documentFrom(readFileSync(file, 'utf8')));
}
