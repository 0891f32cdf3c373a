import type { Random } from '../../random.ts';
import type { PostgresQueries } from '../postgres/connection.ts';

export const SECRET_BYTES = 32;

/** A secret that all nodes share, made by the first of them that asks. It is never in Redis, so that what Redis holds tells nothing without it. */
export async function clusterSecret(
  queries: PostgresQueries,
  name: string,
  random: Random,
): Promise<Uint8Array> {
  await queries.query('INSERT INTO cluster_secret (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    random.bytes(SECRET_BYTES),
  ]);
  const [row] = await queries.query<{ secret: Uint8Array }>(
    'SELECT secret FROM cluster_secret WHERE name = $1',
    [name],
  );
  if (!row) throw new Error('the secret of the cluster is gone');
  return row.secret;
}
