#!/usr/bin/env node
// The published package has what `npm run build` emits; a checkout runs its source as it is.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
await import(existsSync(built) ? built.href : new URL('../src/cli.ts', import.meta.url).href);
