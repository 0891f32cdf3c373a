import { createRequire } from 'node:module';
import { isInstalled } from '../../test/support/install-folder.ts';

/** Has a lockfile of its own: the project itself needs none of it. */
export const PEERS_FOLDER = 'bench/peers';

/** A package of this folder. It is not typed: whoever checks the types of the project need not install it. */
export function peerPackage<Module>(name: string): Module | undefined {
  return isInstalled(PEERS_FOLDER) ? (createRequire(import.meta.url)(name) as Module) : undefined;
}
