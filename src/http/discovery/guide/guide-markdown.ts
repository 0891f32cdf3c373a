import { plainMarkdown } from '../../entry/entry-markdown.ts';
import { type Block, GUIDE_SUMMARY, GUIDE_TITLE, type GuideFacts, guideBlocks, type Span } from './guide.ts';

/** As a page of its own, or as a chapter of another one. */
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

/** A fence that is longer than any in the text cannot be closed by it. */
function inCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const blank = longest > 0 ? ' ' : '';
  return `${fence}${blank}${text.replace(/\s+/g, ' ')}${blank}${fence}`;
}
