#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A checkout runs its source as it is, also beside an older build; Node takes no TypeScript in node_modules.
const source = new URL('../src/cli.ts', import.meta.url);
const isInstalled = source.pathname.includes('/node_modules/') || !existsSync(source);
if (Number(process.versions.node.split('.')[0]) < 24) {
  const whatToType = isInstalled
    ? 'npx -p node@24 -p staywire staywire … runs it on a Node 24 that npm brings, without changing yours'
    : 'npm ci brings it into this checkout, where npx staywire … then runs on it';
  console.error(`✖ Staywire needs Node 24 or newer; this is ${process.version}.\n→ ${whatToType}`);
  process.exit(2);
}
await import(isInstalled ? new URL('../dist/cli.js', import.meta.url).href : source.href);
