import { brandOfProperty } from '../../src/catalogue/catalogue.ts';
import type { Clock } from '../../src/clock.ts';
import { DECLINE_MEMORY_MS, type DeclineChannel, type DeclinedStay } from '../../src/sync/decline-channel.ts';
import type { LeasingNode } from './shared-leases.ts';

const FIRST_ANSWER_MS = 200;
const LOOKED_FOR_EVERY_MS = 500;

type Told = { readonly by: string; readonly at: number; readonly refused: DeclinedStay };

/** What several nodes tell each other of refusals. Each goes on after a broken connection where it stopped. */
export function createSharedNews(clock: Pick<Clock, 'elapsed'>) {
  const told: Told[] = [];

  function join(node: LeasingNode): DeclineChannel {
    return {
      publish(refused) {
        if (node.isReachable() && !node.isDead()) told.push({ by: node.id, at: clock.elapsed(), refused });
      },
      subscribe(brands, take) {
        const since = clock.elapsed() - DECLINE_MEMORY_MS;
        const first = told.findIndex(({ at }) => at >= since);
        let position = first < 0 ? told.length : first;
        const caughtUp = Promise.withResolvers<void>();
        const isOfBrands = ({ refused }: Told) => brands.includes(brandOfProperty(refused.property));
        function look(): void {
          for (; node.isReachable() && position < told.length; position += 1) {
            const one = told[position];
            if (one && one.by !== node.id && isOfBrands(one)) take(one.refused, clock.elapsed() - one.at);
          }
          caughtUp.resolve();
          cancelNext = node.clock.after(LOOKED_FOR_EVERY_MS, look);
        }
        let cancelNext = node.clock.after(FIRST_ANSWER_MS, look);
        return { caughtUp: caughtUp.promise, stop: async () => cancelNext() };
      },
    };
  }

  return { join };
}
