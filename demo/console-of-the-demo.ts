import path from 'node:path';
import { isPasswordOf, recordOfPassword } from '../src/access/owner-settings.ts';
import { readSetting } from '../src/app/settings.ts';
import { systemRandom } from '../src/random.ts';
import { openOwnerStore } from '../src/storage/stores.ts';
import { demoConsolePassword } from './console-password.ts';

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
  // What is wrong with a setting is said by the service, which reads all of them.
  if (store.kind === 'invalid' || dataDirectory.kind === 'invalid' || port.kind === 'invalid') return null;
  // Other stores are not the demo's own: a password there is for their owner to set.
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
