import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOOL = new URL('node_modules/openapi-typescript/bin/cli.js', import.meta.url);
const DOCUMENT = new URL('../openapi.json', import.meta.url);
const TYPES = new URL('../src/client/interface-types.ts', import.meta.url);
const MAX_RUN_MS = 60_000;

/** `npm run generate:client`: writes the types of the client. They are committed, and a test compares them. */
if (import.meta.main) writeFileSync(TYPES, clientTypes());

type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: object };
};

/** The types of the bodies that the OpenAPI document describes, and the version that it describes. The client has its own methods. */
export function clientTypes(): string {
  const { openapi, info, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApi;
  const bodies = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(TOOL), '--immutable'], {
    input: JSON.stringify(bodies),
    encoding: 'utf8',
    timeout: MAX_RUN_MS,
  });
  if (status !== 0) throw new Error(`openapi-typescript ended with ${status}: ${stderr}`);
  return `${stdout}\n/** The version of the interface that these types describe. */\nexport const DESCRIBED_VERSION = '${info.version}';\n`;
}
