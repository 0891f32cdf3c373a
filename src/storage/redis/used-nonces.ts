import { hash } from 'node:crypto';
import type { UsedNonces } from '../../access/web-bot-auth/used-nonces.ts';
import type { RedisConnection } from './connection.ts';

/** Half of a SHA-256: still resistant to collisions, and short, because millions are stored. */
const NAME_LENGTH = 22;

/**
 * Nonces used on any node. This node also tracks its own, which decide while the server is unreachable: a signature sent again to the same
 * node is refused, and the outage itself refuses no client.
 */
export function createRedisUsedNonces({
  redis,
  prefix,
  ofThisNode,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly ofThisNode: UsedNonces;
}): UsedNonces {
  return {
    async claim(signer, name, keepMs) {
      if (!(await ofThisNode.claim(signer, name, keepMs))) return false;
      const key = `${prefix}:nonce:{${hash('sha256', `${signer}\n${name}`, 'base64url').slice(0, NAME_LENGTH)}}`;
      return redis
        .ask((client) => client.set(key, '', 'PX', Math.ceil(keepMs), 'NX'))
        .then(
          (reply) => reply !== null,
          () => true,
        );
    },
  };
}
