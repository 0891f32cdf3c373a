#!/usr/bin/env node
import { existsSync } from 'node:fs';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `✖ Staywire runs on Node 24; this is ${process.version}.\n→ in a checkout, npx staywire brings it along`,
  );
  process.exit(2);
}
// A checkout runs its source as it is, also beside an older build; Node takes no TypeScript in node_modules.
const source = new URL('../src/cli.ts', import.meta.url);
const isInstalled = source.pathname.includes('/node_modules/') || !existsSync(source);
await import(isInstalled ? new URL('../dist/cli.js', import.meta.url).href : source.href);
