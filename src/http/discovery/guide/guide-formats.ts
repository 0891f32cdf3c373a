import { ENTRY_STYLE, escapedHtml } from '../../entry/entry-html.ts';
import { plainMarkdown } from '../../entry/entry-markdown.ts';
import { type Block, GUIDE_SUMMARY, GUIDE_TITLE, type GuideFacts, guideBlocks, type Span } from './guide.ts';

/** A whole page, or with `##` a chapter of another one. */
export function guideMarkdown(facts: GuideFacts, level: '#' | '##' = '#'): string {
  const blocks = guideBlocks(facts).map((block) => blockMarkdown(block, `${level}#`));
  return [`${level} ${GUIDE_TITLE}`, GUIDE_SUMMARY, ...blocks].join('\n\n').concat('\n');
}

function blockMarkdown(block: Block, level: string): string {
  switch (block.kind) {
    case 'heading':
      return `${level} ${block.text}`;
    case 'paragraph':
      return spansMarkdown(block.spans);
    case 'list':
      return block.items.map((item) => `- ${spansMarkdown(item)}`).join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\`\`\``;
  }
}

function spansMarkdown(spans: readonly Span[]): string {
  return spans.map((span) => (typeof span === 'string' ? plainMarkdown(span) : inCode(span.code))).join('');
}

/** The text cannot close a fence that is longer than any in it. */
function inCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const blank = longest > 0 ? ' ' : '';
  return `${fence}${blank}${text.replace(/\s+/g, ' ')}${blank}${fence}`;
}

/** Uses the style of the entry, so that one content security policy fits both. */
export function guideHtml(network: string, facts: GuideFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(network)}: ${escapedHtml(GUIDE_TITLE)}</title>
<style>${ENTRY_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">${escapedHtml(network)}</p>
<h1>${escapedHtml(GUIDE_TITLE)}</h1>
<p class="lede">${escapedHtml(GUIDE_SUMMARY)}</p>
</header>
${guideBlocks(facts).map(blockHtml).join('\n')}
</main>
</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<section><h2>${escapedHtml(block.text)}</h2></section>`;
    case 'paragraph':
      return `<p>${spansHtml(block.spans)}</p>`;
    case 'list':
      return `<ul>\n${block.items.map((item) => `<li>${spansHtml(item)}</li>`).join('\n')}\n</ul>`;
    case 'code':
      return `<pre tabindex="0" aria-label="${escapedHtml(block.label)}"><code>${escapedHtml(block.text)}</code></pre>`;
  }
}

function spansHtml(spans: readonly Span[]): string {
  return spans
    .map((span) => (typeof span === 'string' ? escapedHtml(span) : `<code>${escapedHtml(span.code)}</code>`))
    .join('');
}
