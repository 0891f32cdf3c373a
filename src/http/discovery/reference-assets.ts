import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PublicPage } from '../public-pages.ts';
import { DISCOVERY_PATHS } from './discovery-paths.ts';
import { keptDocument } from './kept-document.ts';
import { REFERENCE_SCRIPT } from './reference-script.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

const manifest = import.meta.resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8'));
/** The address of a file changes with what is in it, so browsers may keep it for good. */
const LIBRARY = `${DISCOVERY_PATHS.reference}/swagger-ui-${version}`;
const OWN = `${DISCOVERY_PATHS.reference}/${digestOf(REFERENCE_SCRIPT + REFERENCE_STYLE)}`;
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** No other file of the library is served. */
export const REFERENCE_ASSETS = {
  libraryStyle: `${LIBRARY}/swagger-ui.css`,
  libraryScript: `${LIBRARY}/swagger-ui-bundle.js`,
  style: `${OWN}/reference.css`,
  script: `${OWN}/reference.js`,
} as const;

export function referenceAssets(): readonly PublicPage[] {
  const { libraryStyle, libraryScript, style, script } = REFERENCE_ASSETS;
  const fromLibrary = (name: string) => () => readFileSync(new URL(name, manifest));
  return [
    asset(libraryStyle, STYLE_TYPE, fromLibrary('swagger-ui.css')),
    asset(libraryScript, SCRIPT_TYPE, fromLibrary('swagger-ui-bundle.js')),
    asset(style, STYLE_TYPE, () => REFERENCE_STYLE),
    asset(script, SCRIPT_TYPE, () => REFERENCE_SCRIPT),
  ];
}

function asset(path: string, contentType: string, write: () => string | Uint8Array): PublicPage {
  return keptDocument({ path, contentType, cacheControl: 'public, max-age=31536000, immutable', write });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
