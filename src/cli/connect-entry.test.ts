import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../clock.ts';
import {
  readCredentialsFile,
  writeCredentialsFile,
} from '../connectors/shared/account/account-credentials.ts';
import { lockFile } from '../parsing/file-lock.ts';
import { systemRandom } from '../random.ts';
import type { CliTools } from './command.ts';
import { readSecrets } from './connect-entry.ts';
import type { Workspace } from './workspace.ts';

const CREDENTIALS = {
  client_id: { title: 'Client ID', found: 'somewhere' },
  refresh_token: { title: 'Refresh token', found: 'elsewhere', isOptional: true },
} as const;
const KEY = new Uint8Array(32).fill(7);

function setUp(t: TestContext, { env = {}, hasFile = true, input = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'credentials.sealed');
  const settings = { credentialsFile: hasFile ? file : null, credentialsKey: hasFile ? KEY : null };
  const asked: string[] = [];
  const tools = {
    terminal: {
      ask: async ({ message }: { readonly message: string }) => {
        asked.push(message);
        return 'typed';
      },
    },
    readInput: async () => input,
    random: systemRandom,
    clock: systemClock,
  } as unknown as CliTools;
  const read = (isPiped = false) =>
    readSecrets({ credentials: CREDENTIALS }, 'harbor', isPiped, tools, {
      env,
      settings,
    } as unknown as Workspace);
  const stored = () => {
    const reading = readCredentialsFile(file, KEY);
    return reading.kind === 'valid' ? Object.fromEntries(reading.value) : reading.faults;
  };
  return { asked, read, stored, folder, files: () => readdirSync(folder) };
}

describe('the secrets of an account', () => {
  it('are asked for when they are nowhere, but for those that only some have; and kept once they are saved', async (t) => {
    const { asked, read, stored, files } = setUp(t);
    const secrets = await read();
    assert.deepEqual(asked, ['Client ID (somewhere)']);
    assert.deepEqual(files(), []);
    await secrets.save();
    assert.deepEqual(stored(), { harbor: { client_id: 'typed' } });
    await read();
    assert.equal(asked.length, 1);
  });

  it('are taken from the input, all of them, before anything else', async (t) => {
    const input = '{"client_id":" piped ","refresh_token":"r"}';
    const { asked, read, stored } = setUp(t, { env: { STAYWIRE_SECRET_HARBOR_CLIENT_ID: 'x' }, input });
    await (await read(true)).save();
    assert.deepEqual(asked, []);
    assert.deepEqual(stored(), { harbor: { client_id: 'piped', refresh_token: 'r' } });
  });

  it('are added to those that another command has saved meanwhile', async (t) => {
    const { read, stored, folder } = setUp(t);
    const secrets = await read();
    const file = join(folder, 'credentials.sealed');
    const release = lockFile(`${file}.lock`);
    const saving = secrets.save();
    assert.deepEqual(stored(), {}, 'it did not wait for the other command');
    writeCredentialsFile(file, KEY, new Map([['mill', { client_id: 'of the other' }]]), systemRandom);
    release?.();
    await saving;
    assert.deepEqual(stored(), { harbor: { client_id: 'typed' }, mill: { client_id: 'of the other' } });
  });
});
