import { installPackage } from './install-package.ts';
import { findPostgres } from './postgres-server.ts';

/** Returns what went wrong. */
export function installPostgres(): { readonly missing: string } | undefined {
  return installPackage('postgresql', () => findPostgres() !== undefined);
}
