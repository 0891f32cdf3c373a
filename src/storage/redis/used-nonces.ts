import { hash } from 'node:crypto';
import type { UsedNonces } from '../../access/web-bot-auth/used-nonces.ts';
import type { RedisConnection } from './connection.ts';

/** Half of a SHA-256: nobody can find two nonces with the same one, and millions are kept. */
const NAME_LENGTH = 22;

/**
 * Nonces that were used on any node. What was used here is remembered here as well, which decides while the server is away: who sends
 * a signature again to the same node is refused, and nobody is refused because of the outage.
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
