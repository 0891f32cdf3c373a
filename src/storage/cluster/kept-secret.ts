import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import { SECRET_BYTES } from './cluster-secret.ts';

/** The secret of the cluster as this node knew it last, beside its copy of the inventory, so that it starts while PostgreSQL is down. */
export type KeptSecret = {
  /** Undefined where there is none, or none that is whole. */
  read(): Uint8Array | undefined;
  write(secret: Uint8Array): void;
};

const FILE = 'cluster.secret';
const FILE_MODE = 0o600;

export function keptSecretIn(directory: string): KeptSecret {
  const path = join(directory, FILE);
  return {
    read() {
      try {
        const secret = Buffer.from(readFileSync(path, 'utf8'), 'base64url');
        return secret.length === SECRET_BYTES ? secret : undefined;
      } catch {
        return undefined;
      }
    },
    write: (secret) => replaceFile(path, Buffer.from(secret).toString('base64url'), FILE_MODE),
  };
}
