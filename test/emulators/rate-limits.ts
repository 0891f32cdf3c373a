import type { EmulatedRequest } from './exchange.ts';

/** So many requests, or credits, within any span of this length. */
export type RateLimit = {
  readonly requests: number;
  readonly perMs: number;
  /** A limit of some requests only; the others do not count. */
  readonly applies?: (request: EmulatedRequest) => boolean;
};

export type LimitUsage = {
  readonly limit: RateLimit;
  /** Spent within the span that ends now, without what was refused. */
  readonly used: number;
  readonly remaining: number;
  /** Until the oldest request leaves the span, and something can be spent again. */
  readonly resetsInMs: number;
  /** Until the newest request leaves the span, and everything can be spent again. */
  readonly emptyInMs: number;
};

export type RateBudget = {
  /** How many requests came when a limit was used up. */
  readonly exceeded: number;
  /** How many were answered with 429. */
  readonly refused: number;
  /** For each limit, the most that ever came within its span, refused requests included. */
  readonly most: readonly number[];
};

/** Credits may be decimals, whose sums are not exact. */
const ROUNDING = 1e-6;

type Spending = { readonly at: number; readonly cost: number; readonly refused: boolean };

/** Counts at arrival. A refused request spends nothing, but it still shows in `most`. */
export function createRateCounter(limits: readonly RateLimit[], now: () => number) {
  const windows = limits.map((limit) => createWindow(limit, now));
  let exceeded = 0;
  return {
    /** The limit that a request exceeds, if any. When enforced, that request spends nothing. */
    arrive(request: EmulatedRequest, cost: number, enforced: boolean): LimitUsage | null {
      if (cost === 0) return null;
      const applying = windows.filter(({ limit }) => limit.applies?.(request) !== false);
      const usages = applying.map(({ usage }) => usage());
      // Of several, the one that lasts longest: waiting for another would not help.
      const over =
        usages
          .filter(({ used, limit }) => used + cost > limit.requests + ROUNDING)
          .sort((one, other) => other.resetsInMs - one.resetsInMs)[0] ?? null;
      if (over) exceeded += 1;
      for (const { add } of applying) add({ at: now(), cost, refused: enforced && over !== null });
      return over;
    },
    usage: (): LimitUsage[] => windows.map(({ usage }) => usage()),
    exceeded: () => exceeded,
    most: (): readonly number[] => windows.map(({ most }) => most()),
  };
}

function createWindow(limit: RateLimit, now: () => number) {
  const arrived: Spending[] = [];
  const spent: Spending[] = [];
  const costs = { arrived: 0, spent: 0 };
  let most = 0;

  function forget(queue: Spending[]): number {
    const start = now() - limit.perMs;
    const kept = queue.findIndex(({ at }) => at > start);
    const gone = queue.splice(0, kept === -1 ? queue.length : kept);
    return gone.reduce((sum, { cost }) => sum + cost, 0);
  }

  return {
    limit,
    add(spending: Spending): void {
      costs.arrived += spending.cost - forget(arrived);
      arrived.push(spending);
      most = Math.max(most, costs.arrived);
      if (spending.refused) return;
      costs.spent += spending.cost;
      spent.push(spending);
    },
    usage(): LimitUsage {
      costs.spent -= forget(spent);
      const oldest = spent[0];
      const newest = spent.at(-1);
      return {
        limit,
        used: costs.spent,
        remaining: Math.max(0, limit.requests - costs.spent),
        resetsInMs: oldest ? oldest.at + limit.perMs - now() : 0,
        emptyInMs: newest ? newest.at + limit.perMs - now() : 0,
      };
    },
    most: () => most,
  };
}
