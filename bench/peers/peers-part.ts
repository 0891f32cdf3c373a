import { installFolder } from '../../test/support/install-folder.ts';
import { installPostgres } from '../../test/support/install-postgres.ts';
import { SERVER_CORE, startChild } from '../child.ts';
import type { PeersComparison } from './compare-peers.ts';
import { PEERS_FOLDER } from './peer-packages.ts';
import type { PeersOrder } from './peers.process.ts';

/** Installs what is missing, and says what could not be had. */
export async function preparePeers(): Promise<readonly string[]> {
  return [await installFolder(PEERS_FOLDER), installPostgres()].flatMap((outcome) => outcome?.missing ?? []);
}

export async function measurePeers(order: PeersOrder): Promise<PeersComparison> {
  const child = await startChild<null>('./peers/peers.process.ts', SERVER_CORE);
  try {
    return await child.ask<PeersComparison>('compare', order);
  } finally {
    await child.close();
  }
}
