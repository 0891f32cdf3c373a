import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PAGE = fileURLToPath(new URL('page', import.meta.url));

/** Bundles the page into one document, as the module from which the service serves it. */
export async function comparisonCardModule(): Promise<string> {
  const html = await bundleCard();
  return [
    '// Written by npm run generate from page/ and content/.',
    `export const COMPARISON_CARD_HTML = ${JSON.stringify(html)};`,
    '',
  ].join('\n');
}

async function bundleCard(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${PAGE}/main.ts`, `${PAGE}/page.css`],
    outdir: 'bundle',
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    legalComments: 'none',
    tsconfigRaw: '{}',
  });
  const textOf = (ending: string) =>
    (outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '').trimEnd();
  return documentOf(textOf('.js'), textOf('.css'));
}

/**
 * The host's policy allows scripts from the hosts of pictures, so the page has a stricter one: only this script, this style, and
 * pictures, which some hosts embed as data.
 */
function documentOf(script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${digestOf(script)}`,
    `style-src ${digestOf(style)}`,
    'img-src https: http: data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<title>Stays to compare</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main></main>',
    '<p role="status" class="unseen"></p>',
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
