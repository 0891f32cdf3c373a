import { existsSync, readFileSync } from 'node:fs';
import type { Random } from '../src/random.ts';
import { writePrivately } from './private-files.ts';

/** Where the service keeps the password of its console. */
export type ConsolePasswordStore = {
  isSet(): Promise<boolean>;
  is(password: string): Promise<boolean>;
  set(password: string): Promise<void>;
};

/** 120 bits: nobody guesses it, and a person can still copy it. */
const RANDOM_BYTES = 15;

/**
 * The password with which a newcomer can sign in at once. It is made at the first start on a data folder whose console has none, and kept
 * beside the demo's data, so that later starts can say it again. Null where the owner has set one.
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
  // Written first: a password that is set and that nobody knows would lock its owner out.
  writePrivately(file, { password });
  await store.set(password);
  return password;
}

function readPassword(file: string): string | null {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const hasPassword = typeof content === 'object' && content !== null && 'password' in content;
  return hasPassword && typeof content.password === 'string' ? content.password : null;
}
