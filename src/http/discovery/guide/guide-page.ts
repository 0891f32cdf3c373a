import { chooseAmong } from '../../entry/accepted-format.ts';
import { ENTRY_PAGE_POLICY } from '../../entry/entry-html.ts';
import type { PublicPage } from '../../public-pages.ts';
import { keptDocument } from '../cached-document.ts';
import { DISCOVERY_PATHS } from '../discovery-paths.ts';
import { guideHtml } from './guide-html.ts';
import { guideMarkdown } from './guide-markdown.ts';
import { SIGNERS } from './signers.generated.ts';

const FORMATS = {
  types: { markdown: 'text/markdown', plain: 'text/plain', html: 'text/html' },
  whenNamed: ['markdown', 'plain', 'html'],
  whenAllowed: ['markdown', 'plain', 'html'],
} as const;

/** The page that every refusal leads to. Markdown reads well as plain text too. */
export function guidePage({
  network,
  cacheControl,
  ...known
}: {
  readonly network: string;
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
  readonly contact: string;
  readonly cacheControl: string;
}): PublicPage {
  const facts = { ...known, signers: SIGNERS };
  const path = DISCOVERY_PATHS.guide;
  const headers = { vary: 'Accept, Accept-Encoding' };
  const inFormat = (format: keyof typeof FORMATS.types, write: () => string, policy = {}) =>
    keptDocument({
      path,
      contentType: `${FORMATS.types[format]}; charset=utf-8`,
      cacheControl,
      headers: { ...headers, ...policy },
      write,
    });
  const pages = {
    markdown: inFormat('markdown', () => guideMarkdown(facts)),
    plain: inFormat('plain', () => guideMarkdown(facts)),
    html: inFormat('html', () => guideHtml(network, facts), { 'content-security-policy': ENTRY_PAGE_POLICY }),
  };
  return { path, render: (request) => pages[chooseAmong(FORMATS, request.accept)].render(request) };
}
