import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isPasswordOf, recordOfPassword } from '../src/access/owner-settings.ts';
import { readSetting } from '../src/app/settings.ts';
import { type Random, systemRandom } from '../src/random.ts';
import { openOwnerStore } from '../src/storage/stores.ts';
import { writePrivately } from './private-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The password to print for the console of this start; null where the owner has set one, or where there is no console. */
export async function consolePassword(
  environment: Environment,
  demoDirectory: string,
): Promise<string | null> {
  const [store, dataDirectory, port] = [
    readSetting('store', environment),
    readSetting('dataDirectory', environment),
    readSetting('consolePort', environment),
  ];
  // The service reports faults of settings.
  if (store.kind === 'invalid' || dataDirectory.kind === 'invalid' || port.kind === 'invalid') return null;
  // Other stores do not belong to the demo: their owner sets the password.
  if (store.value !== 'sqlite' || environment.STAYWIRE_POSTGRES_URL?.trim() || port.value === null)
    return null;
  const opened = await openOwnerStore({
    store: store.value,
    dataDirectory: path.resolve(dataDirectory.value),
    postgresUrl: null,
  });
  try {
    return await demoConsolePassword({
      store: {
        isSet: async () => (await opened.owner.get('console_password')) !== null,
        is: async (password) => isPasswordOf(password, (await opened.owner.get('console_password')) ?? ''),
        set: async (password) =>
          opened.owner.set('console_password', await recordOfPassword(password, systemRandom)),
      },
      file: path.join(demoDirectory, 'console-password.json'),
      random: systemRandom,
    });
  } finally {
    await opened.close();
  }
}

/** Where the service stores the password of its console. */
type ConsolePasswordStore = {
  isSet(): Promise<boolean>;
  is(password: string): Promise<boolean>;
  set(password: string): Promise<void>;
};

/** 120 bits: too many to guess, and short enough to copy. */
const RANDOM_BYTES = 15;

/**
 * The password for a first sign-in. The first start on a data folder without one makes it and stores it beside the demo's data, so that
 * later starts can print it again. Null where the owner has set one.
 */
export async function demoConsolePassword({
  store,
  file,
  random,
}: {
  readonly store: ConsolePasswordStore;
  /** In the folder of the demo. */
  readonly file: string;
  readonly random: Random;
}): Promise<string | null> {
  if (await store.isSet()) {
    const made = existsSync(file) ? readPassword(file) : null;
    return made !== null && (await store.is(made)) ? made : null;
  }
  const password = random.bytes(RANDOM_BYTES).toString('base64url');
  // Write the file first: a password that was set but not stored would lock the owner out.
  writePrivately(file, { password });
  await store.set(password);
  return password;
}

function readPassword(file: string): string | null {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const hasPassword = typeof content === 'object' && content !== null && 'password' in content;
  return hasPassword && typeof content.password === 'string' ? content.password : null;
}
