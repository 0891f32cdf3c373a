import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/signing/', import.meta.url));
const RUN_LIMIT_MS = 30_000;

/** The programs that owners of assistants are given, as they are told to run them. */
const SIGNERS = {
  typescript: { command: process.execPath, file: 'sign-request.ts' },
  python: { command: 'python3', file: 'sign_request.py' },
} as const;

type DirectoryKey = {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly use: string;
};

export type RunningSigner = {
  /** Where it keeps its key. */
  readonly folder: string;
  /** Opens a session on the network. */
  run(network: string, agent: string): Promise<{ readonly status: number; readonly body: string }>;
  /** How it ends when it is not told all that it needs. */
  runWith(words: readonly string[]): Promise<{ readonly exit: number; readonly said: string }>;
  directory(): Promise<{ readonly keys: readonly DirectoryKey[] }>;
};

/** In a folder of its own, so that it makes a key of its own. */
export async function prepareSigner(t: TestContext, language: keyof typeof SIGNERS): Promise<RunningSigner> {
  const folder = await mkdtemp(join(tmpdir(), 'staywire-signer-'));
  t.after(() => rm(folder, { recursive: true }));
  const { command, file } = SIGNERS[language];
  return {
    folder,
    async run(network, agent) {
      const { stdout } = await promisify(execFile)(command, [join(EXAMPLES, file), network, agent], {
        cwd: folder,
        timeout: RUN_LIMIT_MS,
      });
      const [, status = '', body = ''] = /^(\d+) (.*)$/s.exec(stdout) ?? [];
      return { status: Number(status), body };
    },
    runWith: (words) =>
      new Promise((resolve) => {
        const options = { cwd: folder, timeout: RUN_LIMIT_MS };
        execFile(command, [join(EXAMPLES, file), ...words], options, (failure, _, said) =>
          resolve({ exit: Number(failure?.code ?? 0), said }),
        );
      }),
    directory: async () => JSON.parse(await readFile(join(folder, 'directory.json'), 'utf8')),
  };
}
