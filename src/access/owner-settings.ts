import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../random.ts';

/** Stores the owner's settings for all nodes, such as the password of the console. */
export interface OwnerSettings {
  get(name: OwnerSetting): Promise<string | null>;
  set(name: OwnerSetting, value: string): Promise<void>;
}

/** The second is a hash of the password that the audit log has recorded. */
export type OwnerSetting = 'console_password' | 'noticed_console_password';

/** The stored form of a password: `scrypt$N$r$p$salt$key`, with the costs, so that later passwords can have other costs. */
export type PasswordRecord = string;

type Costs = { readonly cost: number; readonly blockSize: number; readonly parallelization: number };

/** A guess costs 128 MB and a few tenths of a second. */
const COSTS: Costs = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_SCRYPT_BYTES = 512 * 1024 * 1024;
const RECORD = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;
export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1000;

/** Why a text cannot be the console's password; undefined if it can. */
export function faultOfPassword(password: string): string | undefined {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH) return `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`;
  return length > MAX_PASSWORD_LENGTH
    ? `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`
    : undefined;
}

/** Tests use smaller costs. */
export async function recordOfPassword(
  password: string,
  random: Random,
  costs: Costs = COSTS,
): Promise<PasswordRecord> {
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const key = await derivedKey(password, salt, costs);
  const { cost, blockSize, parallelization } = costs;
  return ['scrypt', cost, blockSize, parallelization, base64(salt), base64(key)].join('$');
}

export async function isPasswordOf(password: string, record: PasswordRecord): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt, key] = RECORD.exec(record) ?? [];
  if (salt === undefined || key === undefined) throw new Error('the stored password cannot be read');
  const costs = {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  };
  const given = await derivedKey(password, Buffer.from(salt, 'base64url'), costs);
  return timingSafeEqual(given, Buffer.from(key, 'base64url'));
}

function derivedKey(password: string, salt: Buffer, costs: Costs): Promise<Buffer> {
  const options: ScryptOptions = { ...costs, maxmem: MAX_SCRYPT_BYTES };
  return new Promise((resolve, reject) => {
    // Terminals and browsers may encode the same letter differently.
    scrypt(
      password.slice(0, MAX_PASSWORD_LENGTH * 2).normalize('NFC'),
      salt,
      KEY_BYTES,
      options,
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64url');
}
