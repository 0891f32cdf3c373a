import { hash } from 'node:crypto';
import { OK } from '../../contract/errors.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { KEY_DIRECTORY_TYPE, type KeyDirectory } from '../../outbound/signing.ts';
import { cachedDocument, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { chooseAmong } from '../write-response.ts';
import { guideHtml, guideMarkdown } from './guide.ts';
import { llmsText, skillDocument, skillIndex } from './llms-and-skill.ts';
import { PAGE_POLICY } from './pages.ts';
import { referencePages } from './reference-pages.ts';
import { SIGNERS } from './signers.generated.ts';
import { SERVER_CARD_TYPE, securityText, serverCard } from './well-known.ts';

type DiscoveryFacts = {
  readonly network: string;
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  /** Other names under which the service answers. */
  readonly hosts: readonly string[];
  /** Where the owner of an assistant asks for approval. */
  readonly contact: string;
  /** Where to report a vulnerability, as a URI. Null publishes no security.txt. */
  readonly securityContact: string | null;
  /** Null where requests to operators are not signed. */
  readonly keyDirectory: KeyDirectory | null;
  readonly now: () => number;
};

const SOON = 'public, max-age=300';
/** As the conventions of catalogues and cards recommend. */
const HOURLY = 'public, max-age=3600';
const JSON_TYPE = 'application/json';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** All documents about the service. They are open to people and assistants: none is under `/ai/`, and none contains a session. */
export function discoveryPages(facts: DiscoveryFacts): readonly PublicPage[] {
  const { network, publicUrl, securityContact, keyDirectory, now } = facts;
  const page = (path: string, contentType: string, write: () => string) =>
    cachedDocument({ path, contentType, cacheControl: SOON, write });
  const sharedPage = (path: string, contentType: string, write: () => string) =>
    cachedDocument({ path, contentType, cacheControl: HOURLY, crossOrigin: true, write });
  const paths = DISCOVERY_PATHS;
  return [
    page(paths.openApi, JSON_TYPE, () => JSON.stringify(openApiDocument(publicUrl))),
    ...referencePages(network, SOON),
    page(paths.llms, PLAIN_TEXT, () => llmsText(network, publicUrl)),
    guidePage(facts),
    sharedPage(paths.serverCard, SERVER_CARD_TYPE, () => JSON.stringify(serverCard(network, publicUrl))),
    sharedPage(paths.skillIndex, JSON_TYPE, () => skillIndex(publicUrl)),
    sharedPage(paths.skill, 'text/markdown; charset=utf-8', () => skillDocument(publicUrl)),
    ...(securityContact === null ? [] : [securityPage(securityContact, publicUrl, now)]),
    ...(keyDirectory === null ? [] : [keyDirectoryPage(keyDirectory)]),
  ];
}

function keyDirectoryPage(directory: KeyDirectory): PublicPage {
  return {
    path: DISCOVERY_PATHS.keyDirectory,
    crossOrigin: true,
    render() {
      const { body, headers } = directory();
      // A proxy that compresses it would break the digest, and with it the signatures.
      const common = { 'content-type': KEY_DIRECTORY_TYPE, 'cache-control': `${HOURLY}, no-transform` };
      const tag = hash('sha256', body, 'base64url').slice(0, 22);
      return { status: OK, body, tag, headers: { ...common, ...headers } };
    },
  };
}

function securityPage(contact: string, publicUrl: string | null, now: () => number): PublicPage {
  const headers = { 'content-type': PLAIN_TEXT, 'cache-control': 'public, max-age=86400' };
  const render = () => ({ status: OK, body: securityText(contact, publicUrl, now()), headers });
  return { path: DISCOVERY_PATHS.security, render };
}

const FORMATS = {
  types: { markdown: 'text/markdown', plain: 'text/plain', html: 'text/html' },
  whenNamed: ['markdown', 'plain', 'html'],
  whenAllowed: ['markdown', 'plain', 'html'],
} as const;

/** The page that every refusal of access links to. Plain text is the Markdown. */
function guidePage({ network, publicUrl, hosts, contact }: DiscoveryFacts): PublicPage {
  const facts = { publicUrl, hosts, contact, signers: SIGNERS };
  const path = DISCOVERY_PATHS.guide;
  const inFormat = (format: keyof typeof FORMATS.types, write: () => string, policy = {}) => {
    const headers = { vary: 'Accept, Accept-Encoding', ...policy };
    const contentType = `${FORMATS.types[format]}; charset=utf-8`;
    return cachedDocument({ path, contentType, cacheControl: SOON, headers, write });
  };
  const pages = {
    markdown: inFormat('markdown', () => guideMarkdown(facts)),
    plain: inFormat('plain', () => guideMarkdown(facts)),
    html: inFormat('html', () => guideHtml(network, facts), { 'content-security-policy': PAGE_POLICY }),
  };
  return { path, render: (request) => pages[chooseAmong(FORMATS, request.accept)].render(request) };
}
