import { escapedHtml } from '../../entry/entry-html.ts';
import { ENTRY_STYLE } from '../../entry/entry-style.ts';
import { type Block, GUIDE_SUMMARY, GUIDE_TITLE, type GuideFacts, guideBlocks, type Span } from './guide.ts';

/** In the style of the entry, so that its content security policy holds for both. */
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
