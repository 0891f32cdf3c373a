import type { BrandId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { BrandLeases, CompetingNode } from '../../sync/leadership.ts';
import type { PostgresPool } from './connection.ts';

export type LeaseTimes = {
  /** By the clock of PostgreSQL: after this long without a renewal another node may take the brand. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
};

/** A dead node is replaced after at most a lease and a renewal: 20 s, and 30 s are promised. */
const TIMES: LeaseTimes = { leaseMs: 15_000, renewEveryMs: 5_000 };
/** A holder that cannot renew gives up before its lease ends, so that its work has ended by then. */
const TRUSTED_SHARE = 0.8;

type Competitor = {
  readonly lead: (signal: AbortSignal) => Promise<void>;
  /** Set while this node leads the brand. */
  leading: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  /** Set while the lease is being released. */
  releasing: Promise<void> | undefined;
  stopping: Promise<void> | undefined;
};

/**
 * Leases are rows that expire by PostgreSQL's own clock, so that the clocks of nodes do not matter. Nodes are rows too: each takes no more than
 * its share of the brands, and gives up the surplus when others join.
 */
export function createPostgresBrandLeases({
  pool,
  node,
  clock,
  report,
  times: { leaseMs, renewEveryMs } = TIMES,
}: {
  readonly pool: PostgresPool;
  readonly node: string;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly report: (warning: string) => void;
  readonly times?: LeaseTimes;
}): BrandLeases & {
  /** The last count, including this node. */
  liveNodes(): number;
} {
  const competitors = new Map<BrandId, Competitor>();
  let cancelBeat = () => {};
  let cancelMistrust = () => {};
  let beating: Promise<void> | undefined;
  let isBeatWanted = false;
  let hasFailed = false;
  let liveNodes = 1;

  const held = () => [...competitors].filter(([, { leading }]) => leading).map(([brand]) => brand);

  function beatSoon(milliseconds: number): void {
    cancelBeat();
    cancelBeat = clock.after(milliseconds, () => void beat());
  }

  /** Renews the leases of this node, and takes or releases brands according to its share. */
  function beat(): Promise<void> {
    beating ??= tryBeat().finally(() => {
      beating = undefined;
      if (competitors.size > 0) beatSoon(isBeatWanted ? 0 : renewEveryMs);
    });
    return beating;
  }

  async function tryBeat(): Promise<void> {
    isBeatWanted = false;
    if (competitors.size === 0) return;
    try {
      const startedAt = clock.elapsed();
      const renewed = await renew(held());
      trustFor(leaseMs * TRUSTED_SHARE - (clock.elapsed() - startedAt));
      for (const brand of held()) if (!renewed.includes(brand)) void end(brand);
      liveNodes = await countNodes();
      const share = Math.ceil(competitors.size / liveNodes);
      const askedAt = clock.elapsed();
      const taken = await take(share - renewed.length);
      // After an answer that took as long as a lease, the new leases may have expired, and `trustFor` has ended the others.
      const isLate = clock.elapsed() - askedAt >= leaseMs * TRUSTED_SHARE;
      if (taken.length > 0 && !isLate) trustFor(leaseMs * TRUSTED_SHARE - (clock.elapsed() - startedAt));
      for (const brand of taken) {
        if (isLate) void release(brand);
        else lead(brand);
      }
      // The last ones by name, so that a node does not give up one brand to take another.
      for (const brand of [...renewed, ...taken].toSorted().slice(share)) void giveUp(brand);
      hasFailed = false;
    } catch (failure) {
      if (!hasFailed) report(`Leases of brands cannot be renewed: ${String(failure)}`);
      hasFailed = true;
    }
  }

  /** Returns the leases that this node still holds. Locks rows in the order of names, as all writers of several brands do. */
  async function renew(brands: readonly BrandId[]): Promise<readonly BrandId[]> {
    const renewed = await pool.query<{ brand: string }>(
      `WITH mine AS (SELECT brand FROM brand_lease WHERE brand = ANY($3) AND holder = $1 ORDER BY brand FOR UPDATE)
       UPDATE brand_lease SET expires_at = ${AFTER_LEASE} FROM mine WHERE brand_lease.brand = mine.brand
       RETURNING brand_lease.brand`,
      [node, leaseMs, brands],
    );
    return renewed.map(({ brand }) => brand);
  }

  /** Refreshes this node's row, and counts the live nodes. Rows of dead nodes are deleted late, so that two nodes cannot deadlock here. */
  async function countNodes(): Promise<number> {
    const [nodes] = await pool.query<{ live: number }>(
      `WITH gone AS (DELETE FROM live_node WHERE expires_at < clock_timestamp() - interval '1 hour'),
         beat AS (
           INSERT INTO live_node (node, expires_at) VALUES ($1, ${AFTER_LEASE})
           ON CONFLICT (node) DO UPDATE SET expires_at = excluded.expires_at)
       SELECT 1 + count(*) AS live FROM live_node WHERE expires_at > clock_timestamp() AND node <> $1`,
      [node, leaseMs],
    );
    return nodes?.live ?? 1;
  }

  /** Takes up to `count` free brands. */
  async function take(count: number): Promise<readonly BrandId[]> {
    const wanted = [...competitors].filter(([, { leading, releasing, stopping }]) => {
      return !leading && !releasing && !stopping;
    });
    if (count <= 0 || wanted.length === 0) return [];
    const taken = await pool.query<{ brand: string }>(
      `INSERT INTO brand_lease (brand, holder, expires_at)
       SELECT wanted.brand, $1, ${AFTER_LEASE} FROM unnest($3::text[]) AS wanted (brand)
       LEFT JOIN brand_lease ON brand_lease.brand = wanted.brand COLLATE "C"
       WHERE brand_lease.brand IS NULL OR holder = $1 OR expires_at <= clock_timestamp()
       ORDER BY wanted.brand COLLATE "C" LIMIT $4
       ON CONFLICT (brand) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE brand_lease.holder = $1 OR brand_lease.expires_at <= clock_timestamp()
       RETURNING brand`,
      [node, leaseMs, wanted.map(([brand]) => brand), count],
    );
    return taken.map(({ brand }) => brand);
  }

  function trustFor(milliseconds: number): void {
    cancelMistrust();
    cancelMistrust = clock.after(Math.max(0, milliseconds), () => {
      for (const brand of held()) void end(brand);
    });
  }

  function lead(brand: BrandId): void {
    const competitor = competitors.get(brand);
    // Stopped while the lease was being taken.
    if (!competitor || competitor.stopping) return void release(brand);
    const stop = new AbortController();
    const ended = competitor.lead(stop.signal).catch((failure: unknown) => {
      if (!stop.signal.aborted) report(`Reading ${brand} has ended: ${String(failure)}`);
    });
    competitor.leading = { stop, ended };
    // A lead that ends by itself releases the brand.
    void ended.then(() => {
      if (competitor.leading?.stop === stop && !stop.signal.aborted) void giveUp(brand);
    });
  }

  /** Ends leading, because the lease is lost. */
  async function end(brand: BrandId): Promise<void> {
    const competitor = competitors.get(brand);
    const leading = competitor?.leading;
    if (!leading) return;
    leading.stop.abort();
    await leading.ended;
    if (competitor.leading === leading) competitor.leading = undefined;
  }

  async function giveUp(brand: BrandId): Promise<void> {
    const competitor = competitors.get(brand);
    if (!competitor) return;
    competitor.releasing ??= end(brand)
      .then(() => release(brand))
      .finally(() => {
        competitor.releasing = undefined;
      });
    await competitor.releasing;
  }

  /** If this fails, the lease expires. */
  async function release(brand: BrandId): Promise<void> {
    await pool
      .query('DELETE FROM brand_lease WHERE brand = $1 AND holder = $2', [brand, node])
      .catch(() => {});
  }

  async function leave(): Promise<void> {
    cancelBeat();
    cancelMistrust();
    await pool.query('DELETE FROM live_node WHERE node = $1', [node]).catch(() => {});
  }

  async function stopCompeting(brand: BrandId): Promise<void> {
    await giveUp(brand);
    competitors.delete(brand);
    if (competitors.size > 0) return;
    await beating;
    await leave();
  }

  return {
    liveNodes: () => liveNodes,
    compete(brand, lead): CompetingNode {
      const competitor: Competitor = { lead, leading: undefined, releasing: undefined, stopping: undefined };
      competitors.set(brand, competitor);
      isBeatWanted = true;
      if (!beating) beatSoon(0);
      return {
        stop() {
          competitor.stopping ??= stopCompeting(brand);
          return competitor.stopping;
        },
      };
    },
  };
}

const AFTER_LEASE = "clock_timestamp() + $2 * interval '1 millisecond'";
