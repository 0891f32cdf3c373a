import { writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi.ts';

/** `npm run generate`: writes the artefacts that are committed and compared by tests. */
writeFileSync(
  new URL('../../openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
