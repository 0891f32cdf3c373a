import { readFileSync } from 'node:fs';
import { PATHS } from '../../../contract/vocabulary.ts';
import { ENTRY_STYLE, escapedHtml, plainMarkdown } from '../../entry/entry-formats.ts';
import { DISCOVERY_PATHS } from '../../public-pages.ts';

/** Part of a text, independent of its format: names and addresses are never markup. */
type Span = string | { readonly code: string };

type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly label: string; readonly text: string };

export type GuideFacts = {
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  /** Other names under which the service answers. */
  readonly hosts: readonly string[];
  /** From the network file, for people: a mail address, a page or the like. */
  readonly contact: string;
  readonly signers: Signers;
};

/** Complete programs that make a key and open a session with a signed request. */
type Signers = { readonly typescript: string; readonly python: string };

const GUIDE_TITLE = 'How an assistant gets in';
const GUIDE_SUMMARY =
  'This network answers approved AI assistants only. There is no key to apply for: its owner approves an assistant by name, and each of its requests is recognised by what the assistant’s platform sends. Every other caller gets the same 403, whatever the reason.';

const WELL_KNOWN_DIRECTORY = '/.well-known/http-message-signatures-directory';
const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

/** For the owner of a refused assistant: whom to ask, how to be recognised, how to sign, and what to check. */
function guideBlocks({ publicUrl, hosts, contact, signers }: GuideFacts): readonly Block[] {
  const network = publicUrl ?? '<origin of this network>';
  return [
    heading('Ask to be approved'),
    paragraph('Write to the owner of the network, ', code(contact), ', and say:'),
    list(
      ['the name of the assistant, and who runs it;'],
      ['by which of the ways below it can be recognised, with the address or the domain of it;'],
      ['how many requests in a minute and how many conversations at a time you expect.'],
    ),
    paragraph(
      'An approval takes effect within seconds. It can come with limits, and can be suspended at any time.',
    ),
    heading('Ways to be recognised'),
    list(
      [
        'By ',
        code('signature'),
        ', the best of them: each request is signed, and you publish the public key. It holds wherever you call from. How to sign is below.',
      ],
      [
        'By ',
        code('User-Agent'),
        ' and published ranges: a product name in the header, such as ',
        code('Example-User/1.0'),
        ', and a list of your networks at an https address that does not change, ',
        code('{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}'),
        ' or a plain list of strings. It is read every hour.',
      ],
      [
        'By ',
        code('User-Agent'),
        ' and reverse DNS: the name of the calling address is under a domain of yours, and leads back to the same address.',
      ],
      ['By a network that is yours alone, which the owner enters by hand.'],
    ),
    heading('Publish a key'),
    paragraph(
      'At ',
      code(`https://<your domain>${WELL_KNOWN_DIRECTORY}`),
      ', as ',
      code(DIRECTORY_TYPE),
      ':',
    ),
    {
      kind: 'code',
      language: 'json',
      label: 'A directory of keys',
      text: '{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "<public key>", "kid": "<thumbprint>", "use": "sig"}]}\n',
    },
    list(
      [
        'Keys are Ed25519, ECDSA over P-256 (with SHA-256), or RSA of 2,048 to 8,192 bits (with PSS and SHA-512). Keys that standards print as examples are refused. The ',
        code('kid'),
        ' is the SHA-256 thumbprint of RFC 7638 in base64url.',
      ],
      [
        'Answer with status 200, without a redirect, from a public address, within ten seconds, with at most 1 MiB and 100 keys.',
      ],
      [
        'It is read every five minutes: publish a new key ten minutes before you sign with it. A key that is taken out is refused from the next reading on. While the directory cannot be read, the keys of the last reading hold for some days.',
      ],
      [
        'The owner registers ',
        code('https://<your domain>'),
        ', or the whole address of a set of keys elsewhere, which you then name with its type: ',
        code('sig1="https://<your domain>/keys.json";type=jwks_uri'),
        '. No other address is ever read, whatever a request names.',
      ],
    ),
    heading('Sign each request'),
    paragraph('By Web Bot Auth, a profile of HTTP Message Signatures (RFC 9421), with three headers:'),
    {
      kind: 'code',
      language: 'http',
      label: 'The headers of a signed request',
      text: [
        'Signature-Agent: sig1="https://<your domain>"',
        'Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1795000000;expires=1795000060;keyid="<thumbprint>";alg="ed25519";nonce="<random>";tag="web-bot-auth"',
        'Signature: sig1=:<signature in base64>:',
        '',
      ].join('\n'),
    },
    list(
      [
        'Cover ',
        code('@authority'),
        ' or ',
        code('@target-uri'),
        ', and the member of ',
        code('Signature-Agent'),
        ' with the label of the signature. ',
        code('@authority'),
        ' is ',
        ...authority(publicUrl, hosts),
        '. You may cover more, such as ',
        code('@method'),
        ', ',
        code('@path'),
        ' and ',
        code('@query'),
        '.',
      ],
      [
        code('created'),
        ', ',
        code('expires'),
        ', ',
        code('keyid'),
        ' and ',
        code('tag="web-bot-auth"'),
        ' are required. ',
        code('created'),
        ' is at most 30 seconds ahead of our clock, ',
        code('expires'),
        ' at most 30 seconds behind it, and at most 24 hours lie between them.',
      ],
      [
        'With a ',
        code('nonce'),
        ' nobody can use the signature a second time: it is good for one request, and for ten minutes after ',
        code('created'),
        '. Without one, whoever reads the headers can call as you until they expire: keep that to a minute.',
      ],
      [
        'Sign every request, by REST and to the MCP server alike: a session does not replace the signature, and is of no use to any other assistant.',
      ],
      [
        'A signature that is wrong is refused even where another way would have let you in. Where an edge of yours adds a signature too, each is looked at by itself.',
      ],
    ),
    paragraph(
      'Either of these programs makes a key, writes the directory to publish, and opens a session: ',
      code(`node sign-request.ts ${network} https://<your domain>`),
      ', on Node 24, or ',
      code(`python3 sign_request.py ${network} https://<your domain>`),
      ', with the package ',
      code('cryptography'),
      '.',
    ),
    { kind: 'code', language: 'ts', label: 'sign-request.ts', text: signers.typescript },
    { kind: 'code', language: 'python', label: 'sign_request.py', text: signers.python },
    heading('When the answer is 403'),
    paragraph(
      'All refusals are alike, so that they tell nothing to those who try. Check in this order what the answer does not say:',
    ),
    list(
      [
        'Are you approved? Before that, nothing else helps. The owner can look up why a request was refused by its ',
        code('X-Request-Id'),
        '.',
      ],
      [
        'Is the directory there, with status 200, and has it been so for five minutes? ',
        code(`curl -i https://<your domain>${WELL_KNOWN_DIRECTORY}`),
      ],
      [
        'Is ',
        code('keyid'),
        ' the thumbprint of a key in it, and is ',
        code('Signature-Agent'),
        ' the address that was registered, letter for letter?',
      ],
      ['Is ', code('@authority'), ' the host of this network, and no name of a proxy of yours?'],
      ['Is your clock right? Was the nonce used before, or more than ten minutes ago?'],
      [
        'Does the request look like a browser’s (',
        code('Origin'),
        ', ',
        code('Sec-Fetch-*'),
        ')? Without a valid signature it is taken for a person’s, who has nothing to do here: ',
        code('"reason": "end_user_access"'),
        '.',
      ],
    ),
    paragraph(
      'To test it, open ',
      code(`${publicUrl ?? ''}${PATHS.terms}`),
      ' with a signature: it needs no session and changes nothing. Status 200 means that you are in; how to go on is at ',
      code(`${publicUrl ?? ''}${DISCOVERY_PATHS.llms}`),
      '.',
    ),
  ];
}

/** Without a known host every signature would be refused, so the text says to ask for the host first. */
function authority(publicUrl: string | null, hosts: readonly string[]): readonly Span[] {
  const ours = [...(publicUrl === null ? [] : [new URL(publicUrl).host]), ...hosts];
  if (ours.length > 0) return [`${ours.join(' or ')}, in lower case and without the default port`];
  return [
    'the host of this network, which its owner has not named yet (by ',
    code('STAYWIRE_PUBLIC_URL'),
    ' or ',
    code('STAYWIRE_HOSTS'),
    '): until then every signature is refused, so ask for it',
  ];
}

function heading(text: string): Block {
  return { kind: 'heading', text };
}

function paragraph(...spans: readonly Span[]): Block {
  return { kind: 'paragraph', spans };
}

function list(...items: readonly (readonly Span[])[]): Block {
  return { kind: 'list', items };
}

function code(text: string): Span {
  return { code: text };
}

const FOLDER = new URL('../../../../docs/examples/signing/', import.meta.url);

/** Reads the programs from the examples, where tests run them. */
export function readSigners(): Signers {
  const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return { typescript: textOf('sign-request.ts'), python: textOf('sign_request.py') };
}

/** Generated, because the page shows the programs and the published package has no examples. */
export function signersModule(signers: Signers): string {
  return [
    '// Written by npm run generate from docs/examples/signing/.',
    `export const SIGNERS = ${JSON.stringify(signers)};`,
    '',
  ].join('\n');
}

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
