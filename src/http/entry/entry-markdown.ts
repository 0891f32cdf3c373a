import { PATHS } from '../../contract/vocabulary.ts';
import { addressAt, DISCOVERY_PATHS } from '../public-pages.ts';
import {
  BRAND_LOCKED,
  BY_MCP,
  DESCRIPTION,
  type EntryFacts,
  type EntryLocation,
  HOW_TO_CONTINUE,
  mcpAddress,
  ONE_PLACE,
  SOURCE_HINT,
  startByGet,
  startCall,
  UNKNOWN_BRAND,
  WHERE_TO_BOOK,
  WHOLE_STAY,
  wholeStay,
} from './entry-facts.ts';

export function entryMarkdown(facts: EntryFacts): string {
  const { network, sources, requestedBrand, publicUrl, version } = facts;
  const { method, url, body } = startCall(facts);
  const byGet = startByGet(facts);
  const { url_template, example } = wholeStay(facts);
  const scope =
    requestedBrand.kind === 'brand'
      ? `through ${plainMarkdown(requestedBrand.brand.name)}`
      : 'for every brand';
  const lines = [
    `# ${plainMarkdown(network)}`,
    '',
    DESCRIPTION,
    '',
    ...(requestedBrand.kind === 'unknown_brand' ? [`**${UNKNOWN_BRAND}**`, ''] : []),
    '## How an assistant starts',
    '',
    `1. Open a session ${scope}:`,
    '',
    '   ```http',
    `   ${method} ${url}`,
    '   Content-Type: application/json',
    '',
    `   ${JSON.stringify(body)}`,
    '   ```',
    '',
    '   or, if you can only open addresses:',
    '',
    '   ```http',
    `   ${byGet.method} ${byGet.url}`,
    '   ```',
    '',
    ...(requestedBrand.kind === 'brand'
      ? [`   ${BRAND_LOCKED}${locationMarkdown(requestedBrand.location)}`, '']
      : []),
    `2. ${HOW_TO_CONTINUE}`,
    '',
    `   ${WHOLE_STAY}`,
    '',
    '   ```http',
    `   GET ${url_template}`,
    '   ```',
    '',
    `   For example: \`${example}\``,
    '',
    `3. ${WHERE_TO_BOOK}`,
    '',
    '## By MCP',
    '',
    BY_MCP,
    '',
    `\`${mcpAddress(facts)}\``,
    '',
    '## Sources',
    '',
    SOURCE_HINT,
    '',
    ...sources.map(
      ({ source, name, single_location }) =>
        `- \`${source}\`: ${plainMarkdown(name)}${single_location ? ' (one location)' : ''}`,
    ),
    '',
    '## More',
    '',
    `- Fields, values, errors and limits: ${publicUrl ?? ''}${PATHS.schema}`,
    `- Terms of use: ${publicUrl ?? ''}${PATHS.terms}`,
    `- How to use it well: ${addressAt(publicUrl, DISCOVERY_PATHS.skill)}`,
    `- For language models: ${addressAt(publicUrl, DISCOVERY_PATHS.llms)}`,
    `- OpenAPI document: ${addressAt(publicUrl, DISCOVERY_PATHS.openApi)}`,
    `- Reference for developers: ${addressAt(publicUrl, DISCOVERY_PATHS.reference)}`,
    `- How an assistant gets in: ${addressAt(publicUrl, DISCOVERY_PATHS.guide)}`,
    `- Version: ${version}`,
    '',
    'Addresses under /ai/ open for approved AI assistants only, not for end users.',
    '',
  ];
  return lines.join('\n');
}

function locationMarkdown(location: EntryLocation | null): string {
  return location === null ? '' : ` ${ONE_PLACE} That place is ${plainMarkdown(location.name)}.`;
}

/** Escapes names from the network file, which are not markup. */
export function plainMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}
