import { readFileSync } from 'node:fs';
import { PATHS } from '../../contract/vocabulary.ts';
import { addressAt, DISCOVERY_PATHS } from '../public-pages.ts';
import { type Block, blocksAsHtml, blocksAsMarkdown, styledPage } from './pages.ts';

type GuideFacts = {
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  /** Other names under which the service answers. */
  readonly hosts: readonly string[];
  /** From the network file, for people: a mail address, a page or the like. */
  readonly contact: string;
  /** Complete programs that make a key and open a session with a signed request. */
  readonly signers: { readonly typescript: string; readonly python: string };
};

const TITLE = 'How an assistant gets in';
const SUMMARY =
  'This network answers approved AI assistants only. There is no key to apply for: its owner approves an assistant by name, and each of its requests is recognised by what the assistant’s platform sends. Every other caller gets the same 403, whatever the reason.';

/** For the owner of a refused assistant: whom to ask, how to be recognised, how to sign, and what to check. */
function guideBlocks({ typescript, python }: GuideFacts['signers'], authority: string): readonly Block[] {
  return [
    '## Ask to be approved',
    'Write to the owner of the network, `{contact}`, and say:',
    [
      'the name of the assistant, and who runs it;',
      'by which of the ways below it can be recognised, with the address or the domain of it;',
      'how many requests in a minute and how many conversations at a time you expect.',
    ],
    'An approval takes effect within seconds. It can come with limits, and can be suspended at any time.',
    '## Ways to be recognised',
    [
      'By `signature`, the best of them: each request is signed, and you publish the public key. It holds wherever you call from. How to sign is below.',
      'By `User-Agent` and published ranges: a product name in the header, such as `Example-User/1.0`, and a list of your networks at an https address that does not change, `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}` or a plain list of strings. It is read every hour.',
      'By `User-Agent` and reverse DNS: the name of the calling address is under a domain of yours, and leads back to the same address.',
      'By a network that is yours alone, which the owner enters by hand.',
    ],
    '## Publish a key',
    'At `{directory}`, as `application/http-message-signatures-directory+json`:',
    {
      language: 'json',
      label: 'A directory of keys',
      text: '{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "<public key>", "kid": "<thumbprint>", "use": "sig"}]}\n',
    },
    [
      'Keys are Ed25519, ECDSA over P-256 (with SHA-256), or RSA of 2,048 to 8,192 bits (with PSS and SHA-512). Keys that standards print as examples are refused. The `kid` is the SHA-256 thumbprint of RFC 7638 in base64url.',
      'Answer with status 200, without a redirect, from a public address, within ten seconds, with at most 1 MiB and 100 keys.',
      'It is read every five minutes: publish a new key ten minutes before you sign with it. A key that is taken out is refused from the next reading on. While the directory cannot be read, the keys of the last reading hold for some days.',
      'The owner registers `https://<your domain>`, or the whole address of a set of keys elsewhere, which you then name with its type: `sig1="https://<your domain>/keys.json";type=jwks_uri`. No other address is ever read, whatever a request names.',
    ],
    '## Sign each request',
    'By Web Bot Auth, a profile of HTTP Message Signatures (RFC 9421), with three headers:',
    {
      language: 'http',
      label: 'The headers of a signed request',
      text: `Signature-Agent: sig1="https://<your domain>"
Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1795000000;expires=1795000060;keyid="<thumbprint>";alg="ed25519";nonce="<random>";tag="web-bot-auth"
Signature: sig1=:<signature in base64>:
`,
    },
    [
      `Cover \`@authority\` or \`@target-uri\`, and the member of \`Signature-Agent\` with the label of the signature. \`@authority\` is ${authority}. You may cover more, such as \`@method\`, \`@path\` and \`@query\`.`,
      '`created`, `expires`, `keyid` and `tag="web-bot-auth"` are required. `created` is at most 30 seconds ahead of our clock, `expires` at most 30 seconds behind it, and at most 24 hours lie between them.',
      'With a `nonce` nobody can use the signature a second time: it is good for one request, and for ten minutes after `created`. Without one, whoever reads the headers can call as you until they expire: keep that to a minute.',
      'Sign every request, by REST and to the MCP server alike: a session does not replace the signature, and is of no use to any other assistant.',
      'A signature that is wrong is refused even where another way would have let you in. Where an edge of yours adds a signature too, each is looked at by itself.',
    ],
    'Either of these programs makes a key, writes the directory to publish, and opens a session: `node sign-request.ts {network} https://<your domain>`, on Node 24, or `python3 sign_request.py {network} https://<your domain>`, with the package `cryptography`.',
    { language: 'ts', label: 'sign-request.ts', text: typescript },
    { language: 'python', label: 'sign_request.py', text: python },
    '## When the answer is 403',
    'All refusals are alike, so that they tell nothing to those who try. Check in this order what the answer does not say:',
    [
      'Are you approved? Before that, nothing else helps. The owner can look up why a request was refused by its `X-Request-Id`.',
      'Is the directory there, with status 200, and has it been so for five minutes? `curl -i {directory}`',
      'Is `keyid` the thumbprint of a key in it, and is `Signature-Agent` the address that was registered, letter for letter?',
      'Is `@authority` the host of this network, and no name of a proxy of yours?',
      'Is your clock right? Was the nonce used before, or more than ten minutes ago?',
      'Does the request look like a browser’s (`Origin`, `Sec-Fetch-*`)? Without a valid signature it is taken for a person’s, who has nothing to do here: `"reason": "end_user_access"`.',
    ],
    'To test it, open `{terms}` with a signature: it needs no session and changes nothing. Status 200 means that you are in; how to go on is at `{llms}`.',
  ];
}

/** A whole page, or with `##` a chapter of another one. */
export function guideMarkdown(facts: GuideFacts, level: '#' | '##' = '#'): string {
  const { blocks, filling } = guide(facts);
  return `${level} ${TITLE}\n\n${SUMMARY}\n\n${blocksAsMarkdown(blocks, filling, level)}\n`;
}

export function guideHtml(network: string, facts: GuideFacts): string {
  const { blocks, filling } = guide(facts);
  const head = { title: `${network}: ${TITLE}`, kicker: network, heading: TITLE, lede: SUMMARY };
  return styledPage(head, blocksAsHtml(blocks, filling));
}

function guide({ publicUrl, hosts, contact, signers }: GuideFacts) {
  const ours = [...(publicUrl === null ? [] : [new URL(publicUrl).host]), ...hosts];
  // Without a known host every signature would be refused, so the text says to ask for the host first.
  const authority =
    ours.length > 0
      ? '{hosts}, in lower case and without the default port'
      : 'the host of this network, which its owner has not named yet (by `STAYWIRE_PUBLIC_URL` or `STAYWIRE_HOSTS`): until then every signature is refused, so ask for it';
  const values = {
    contact,
    network: publicUrl ?? '<origin of this network>',
    hosts: ours.join(' or '),
    directory: 'https://<your domain>/.well-known/http-message-signatures-directory',
    terms: addressAt(publicUrl, PATHS.terms),
    llms: addressAt(publicUrl, DISCOVERY_PATHS.llms),
  };
  return { blocks: guideBlocks(signers, authority), filling: { values, publicUrl } };
}

const FOLDER = new URL('../../../docs/examples/signing/', import.meta.url);

/** Reads the programs from the examples, where tests run them. */
export function readSigners(): GuideFacts['signers'] {
  const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return { typescript: textOf('sign-request.ts'), python: textOf('sign_request.py') };
}

/** Generated, because the page shows the programs and the published package has no examples. */
export function signersModule(signers: GuideFacts['signers']): string {
  return `// Written by npm run generate from docs/examples/signing/.\nexport const SIGNERS = ${JSON.stringify(signers)};\n`;
}
