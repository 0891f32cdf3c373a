import { hash } from 'node:crypto';
import type { PasswordRecord } from '../access/owner-settings.ts';

/** Where the password is kept, and the hash of the one that the audit log knows of. */
export type KeptPassword = {
  read(): Promise<PasswordRecord | null>;
  readNoticed(): Promise<string | null>;
  writeNoticed(hash: string): Promise<void>;
};

/**
 * The command that sets a password cannot write to the audit log of a service that runs; the console notices it, also where it was set before
 * the service started.
 */
export function createNoticedPassword(
  { read, readNoticed, writeNoticed }: KeptPassword,
  onChange: () => void,
): KeptPassword['read'] {
  let last: PasswordRecord | null = null;
  return async () => {
    const now = await read();
    if (now !== null && now !== last) {
      const noticed = hash('sha256', now);
      if ((await readNoticed()) !== noticed) {
        await writeNoticed(noticed);
        onChange();
      }
    }
    last = now;
    return now;
  };
}
