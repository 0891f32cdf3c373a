import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addressAt } from '../public-pages.ts';

/** The frame of the pages for people: one style, so that one content security policy fits all. */
export function styledPage(
  { title, kicker, heading, lede }: Readonly<Record<'title' | 'kicker' | 'heading' | 'lede', string>>,
  /** Markup; the other texts are escaped here. */
  main: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">${escapedHtml(kicker)}</p>
<h1>${escapedHtml(heading)}</h1>
<p class="lede">${escapedHtml(lede)}</p>
</header>
${main}
</main>
</body>
</html>
`;
}

/** A constant, because the content security policy contains its hash. */
const STYLE = readFileSync(new URL('pages.css', import.meta.url), 'utf8');

/** Allows only the style of the page itself. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const ENTITIES = new Map(Object.entries({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }));

export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}

/** Escapes names from the network file, which are not markup. */
export function plainMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/**
 * A heading (`## `), a notice (`! `) or a paragraph; a list; addresses; or a block of code. In texts, backticks mark code and `{name}` is
 * filled in.
 */
export type Block = string | readonly string[] | Program | { readonly links: readonly PageLink[] };
type Program = { readonly language: string; readonly label: string; readonly text: string };
type PageLink = readonly [label: string, path: string];

/** What a page is filled in with. Addresses are whole where the public address is known. */
type Filling = {
  readonly values: Readonly<Record<string, string>>;
  readonly publicUrl: string | null;
};

type Format = {
  readonly text: (text: string) => string;
  /** A name or address, which is never markup. */
  readonly value: (text: string) => string;
  readonly code: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly notice: (text: string) => string;
  readonly paragraph: (text: string) => string;
  readonly list: (items: readonly string[]) => string;
  readonly link: (label: string, path: string, publicUrl: string | null) => string;
  readonly program: (program: Program) => string;
};

const MARKDOWN: Omit<Format, 'heading'> = {
  text: (text) => text,
  value: plainMarkdown,
  code(text) {
    // The text cannot close a fence that is longer than any in it.
    const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
    const fence = '`'.repeat(longest + 1);
    const blank = longest > 0 ? ' ' : '';
    return `${fence}${blank}${text.replace(/\s+/g, ' ')}${blank}${fence}`;
  },
  notice: (text) => `**${text}**`,
  paragraph: (text) => text,
  list: (items) => items.map((item) => `- ${item}`).join('\n'),
  link: (label, path, publicUrl) => `${plainMarkdown(label)}: ${addressAt(publicUrl, path)}`,
  program: ({ language, text }) => `\`\`\`${language}\n${text}\`\`\``,
};

const HTML: Format = {
  text: escapedHtml,
  value: escapedHtml,
  code: (text) => `<code>${escapedHtml(text)}</code>`,
  heading: (text) => `<h2>${text}</h2>`,
  notice: (text) => `<p class="notice" role="status">${text}</p>`,
  paragraph: (text) => `<p>${text}</p>`,
  list: (items) => `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`,
  // Addresses under /ai/ are no links: they refuse people.
  link: (label, path) =>
    path.startsWith('/ai/')
      ? `${escapedHtml(label)}: <code>${escapedHtml(path)}</code>`
      : `<a href="${escapedHtml(path)}">${escapedHtml(label)}</a>`,
  program: ({ label, text }) =>
    `<pre tabindex="0" aria-label="${label}"><code>${escapedHtml(text)}</code></pre>`,
};

export function blocksAsMarkdown(
  blocks: readonly Block[],
  filling: Filling,
  level: '#' | '##' = '#',
): string {
  const heading = (text: string) => `${level}# ${text}`;
  return writeBlocks(blocks, filling, { ...MARKDOWN, heading }).join('\n\n');
}

export function blocksAsHtml(blocks: readonly Block[], filling: Filling): string {
  return writeBlocks(blocks, filling, HTML).join('\n');
}

/** Fills in the values only after a text was cut at its backticks, so that no name or address is markup. */
function writeBlocks(
  blocks: readonly Block[],
  { values, publicUrl }: Filling,
  format: Format,
): readonly string[] {
  const filled = (text: string, write: (value: string) => string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => write(values[name] ?? ''));
  const inline = (text: string) =>
    text
      .split('`')
      .map((part, position) =>
        position % 2 === 0
          ? filled(format.text(part), format.value)
          : format.code(filled(part, (value) => value)),
      )
      .join('');
  return blocks.map((block) => {
    if (typeof block === 'string') {
      if (block.startsWith('## ')) return format.heading(inline(block.slice(3)));
      return block.startsWith('! ') ? format.notice(inline(block.slice(2))) : format.paragraph(inline(block));
    }
    if ('text' in block) return format.program(block);
    if (!('links' in block)) return format.list(block.map(inline));
    return format.list(block.links.map(([label, path]) => format.link(label, path, publicUrl)));
  });
}
