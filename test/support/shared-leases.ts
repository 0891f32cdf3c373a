import type { BrandId } from '../../src/catalogue/catalogue.ts';
import type { Clock } from '../../src/clock.ts';
import type { BrandLeases } from '../../src/sync/leadership.ts';

const LEASE_MS = 15_000;
const LOOKED_AT_EVERY_MS = 1000;
/** Whoever gives a brand up leaves it to others for a while. */
const STANDS_BACK_MS = 5000;

/** One run of a node. */
export type LeasingNode = {
  readonly id: string;
  readonly clock: Clock;
  readonly isDead: () => boolean;
  readonly isReachable: () => boolean;
};

/** Leases that several nodes compete for. `clock` is that of the store. */
export function createSharedLeases(clock: Pick<Clock, 'elapsed'>) {
  const leases = new Map<BrandId, { readonly holder: string; until: number }>();
  const giveUps = new Map<string, () => void>();

  function holderOf(brand: BrandId): string | undefined {
    const lease = leases.get(brand);
    return lease && lease.until > clock.elapsed() ? lease.holder : undefined;
  }

  function join(node: LeasingNode): BrandLeases {
    return {
      compete(brand, lead) {
        let term: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
        let renewedAt = 0;
        let standsBackUntil = 0;
        let isStopped = false;
        let cancelNext = () => {};

        function release(): void {
          term = undefined;
          const isOurs = leases.get(brand)?.holder === node.id;
          if (isOurs && node.isReachable() && !node.isDead()) leases.delete(brand);
        }

        function take(): void {
          leases.set(brand, { holder: node.id, until: clock.elapsed() + LEASE_MS });
          renewedAt = clock.elapsed();
          const controller = new AbortController();
          term = { controller, done: lead(controller.signal).then(release) };
        }

        function renew(): void {
          const lease = leases.get(brand);
          const isOurs = lease?.holder === node.id;
          if (isOurs && node.isReachable()) {
            lease.until = clock.elapsed() + LEASE_MS;
            renewedAt = clock.elapsed();
          }
          // Before anybody else may have it.
          const isEnding = clock.elapsed() - renewedAt >= LEASE_MS - 2 * LOOKED_AT_EVERY_MS;
          if (!isOurs || isEnding) term?.controller.abort();
        }

        function look(): void {
          if (term) renew();
          else if (node.isReachable() && !holderOf(brand) && clock.elapsed() >= standsBackUntil) take();
          cancelNext = node.clock.after(LOOKED_AT_EVERY_MS, look);
        }

        cancelNext = node.clock.after(0, look);
        giveUps.set(`${node.id} ${brand}`, () => {
          standsBackUntil = clock.elapsed() + STANDS_BACK_MS;
          term?.controller.abort();
        });
        return {
          async stop() {
            if (isStopped) return;
            isStopped = true;
            cancelNext();
            term?.controller.abort();
            await term?.done;
          },
        };
      },
    };
  }

  return {
    join,
    holderOf,
    /** Another node may have it now: the lease is lost at once, whatever its holder is doing. */
    lose(brand: BrandId): void {
      const holder = holderOf(brand);
      leases.delete(brand);
      giveUps.get(`${holder} ${brand}`)?.();
    },
    /** Its holder hands the brand over when it has ended its work. */
    handOver: (brand: BrandId) => giveUps.get(`${holderOf(brand)} ${brand}`)?.(),
  };
}
