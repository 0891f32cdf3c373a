import type { PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { AGE_CHECK_MS, type BrandOffer } from './brand-offer.ts';

/** Takes calendars off offer that could not be read again in time. */
export type AgeChecks = {
  start(): void;
  /** Waits for the check that is under way. */
  stop(): Promise<void>;
};

export function createAgeChecks({
  clock,
  offer,
  withdrawn,
}: {
  readonly clock: Pick<Clock, 'after'>;
  readonly offer: Pick<BrandOffer, 'withdrawTooOld'>;
  /** The next check comes after it. */
  readonly withdrawn: (properties: readonly PropertyId[]) => Promise<void>;
}): AgeChecks {
  let isStopped = false;
  let cancelNext = () => {};
  let checking: Promise<void> | undefined;

  function checkLater(): void {
    cancelNext = clock.after(AGE_CHECK_MS, () => {
      checking = check().finally(() => {
        checking = undefined;
        if (!isStopped) checkLater();
      });
    });
  }

  async function check(): Promise<void> {
    const properties = await offer.withdrawTooOld();
    if (properties.length > 0) await withdrawn(properties);
  }

  return {
    start: checkLater,
    async stop() {
      isStopped = true;
      cancelNext();
      await checking;
    },
  };
}
