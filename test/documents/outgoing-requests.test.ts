import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The one client: it alone knows which addresses are allowed. */
const GUARDED_CLIENT = 'src/outbound/';
/** A package of its own for those who call the service, which never imports it. */
const PUBLISHED_CLIENT = 'src/client/client-options.ts';
/** A script that runs in the owner's browser, and fetches the page that it is on. */
const CONSOLE_PAGE = 'src/console/console-script.ts';
/** `staywire mcp`, which calls the service that its user names. */
const STDIO_CLIENT = 'src/mcp/serve-stdio.ts';
/** The text of programs that the service shows, and never runs. */
const SHOWN_PROGRAMS = 'src/http/discovery/signers.generated.ts';

/** Whatever can open a connection or look a name up. */
const REASONS: Readonly<Record<string, string>> = {
  'src/access/reverse-dns.ts':
    'asks name servers who a caller is; the names are those of the registry’s assistants',
  'src/limits/connection-limits.ts': 'servers',
  'src/parsing/ip-address.ts': 'only tells numbers from names',
  'src/parsing/web-address.ts': 'only tells numbers from names',
  'src/app/setting-parsers.ts': 'only tells numbers from names',
};

const MODULES = 'undici|(?:node:)?(?:http|https|http2|net|tls|dgram|dns|dns/promises|inspector)';
/** Types alone reach nobody. */
const IMPORT = new RegExp(
  String.raw`^(?:import|export) (?!type\b)[^;]*?from ['"](?:${MODULES})['"]|\b(?:import|require)\(\s*['"](?:${MODULES})['"]|^import ['"](?:${MODULES})['"]`,
  'm',
);
/** What Node has without an import. A method of that name is something else. */
const GLOBAL_CLIENT =
  /(?<![.\w])fetch\s*\(|\bglobalThis\s*(?:\.|\[)|\bnew\s+(?:WebSocket|EventSource)\b|\bprocess\.(?:binding|getBuiltinModule)\b/;
const METHOD_NAMED_FETCH = /^\s*(?:async )?fetch\([^)]*\)\s*(?::[^;{]*)?[{;]|^\s*fetch\($/gm;

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.(test|contract)\.ts$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(ROOT, file), 'utf8')) }));

describe('outgoing requests', () => {
  it('go through the guarded client: nothing else imports what can open a connection, but for a reason', () => {
    const found = sources.filter(({ file, code }) => !file.startsWith(GUARDED_CLIENT) && IMPORT.test(code));
    assert.deepEqual(found.map(({ file }) => file).sort(), Object.keys(REASONS).sort());
  });

  it('are made by nothing that Node has without an import', () => {
    const found = sources.filter(({ code }) => GLOBAL_CLIENT.test(code.replace(METHOD_NAMED_FETCH, '')));
    assert.deepEqual(found.map(({ file }) => file).sort(), [
      PUBLISHED_CLIENT,
      CONSOLE_PAGE,
      SHOWN_PROGRAMS,
      STDIO_CLIENT,
    ]);
  });

  it('look nothing up and connect to nobody where only numbers are told from names', () => {
    for (const [file, reason] of Object.entries(REASONS)) {
      const code = sources.find((source) => source.file === file)?.code ?? '';
      if (reason === 'only tells numbers from names') {
        assert.match(
          code,
          /^import \{ (?:isIP|isIPv4|isIPv6)(?:, (?:isIP|isIPv4|isIPv6))* \} from 'node:net';/m,
        );
      }
      if (reason === 'a server') assert.match(code, /^import \{ createServer \} from 'node:http';/m);
      if (reason.startsWith('only the texts of status codes'))
        assert.match(
          code,
          /^import \{ (?:ServerResponse, )?STATUS_CODES(?:, ServerResponse)? \} from 'node:http';/m,
        );
    }
  });

  it('have names looked up on the threads of the process in one place', () => {
    const found = sources.filter(({ code }) =>
      /\blookup(?:Service)?\b[^;]*from 'node:dns|\bdns(?:Promises)?\.lookup/.test(code),
    );
    assert.deepEqual(
      found.map(({ file }) => file),
      [`${GUARDED_CLIENT}look-up-host.ts`],
    );
  });

  it('of the guarded client connect through its guard', () => {
    const code = (file: string) =>
      sources.find((source) => source.file === GUARDED_CLIENT + file)?.code ?? '';
    const pools = sources.flatMap(({ file, code: text }) =>
      [...text.matchAll(/\bnew (?:Pool|Client|Agent|ProxyAgent|RetryAgent|EnvHttpProxyAgent)\(/g)].map(
        () => file,
      ),
    );
    assert.deepEqual(pools, [`${GUARDED_CLIENT}http-client.ts`]);
    assert.match(code('http-client.ts'), /connect: guardedConnector\(addresses, lookUp, ended\.signal\)/);
  });
});

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
