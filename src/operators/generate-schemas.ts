import { writeFileSync } from 'node:fs';
import { PUBLISHED_SCHEMAS } from './published-schemas.ts';

// `node src/operators/generate-schemas.ts` writes the schemas that the documents point to.
for (const [name, text] of Object.entries(PUBLISHED_SCHEMAS)) {
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text);
}
