import { type Clock, pauseFor } from '../../clock.ts';
import type { OpenSharedAccount, SharedBudget, SharedPermit } from '../../limits/shared-account.ts';
import { jitteredPauseMs, renewWhileUnderWay } from '../../limits/shared-account.ts';
import type { CallUrgency } from '../../limits/window-count.ts';
import type { Random } from '../../random.ts';
import { BRAND_PACE, type EndTurn, type FeedPace, HOST_PACE } from './feed-pace.ts';

/**
 * For a node that is one of several: a host is asked by all of them together no faster than by one, and so a brand asks. Each node's own pace
 * chooses who goes next.
 */
export function createSharedFeedPace({
  pace,
  share,
  clock,
  random,
}: {
  readonly pace: FeedPace;
  readonly share: OpenSharedAccount;
  readonly clock: Clock;
  readonly random: Random;
}): FeedPace {
  async function untilGranted(
    budget: SharedBudget,
    urgency: CallUrgency,
    signal: AbortSignal,
  ): Promise<EndTurn> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      // While nobody knows how often the host was asked it is not asked.
      const answer = await budget.take({ urgency, goesFirst: true }).catch(() => null);
      if (answer?.kind === 'granted') return endOf(answer);
      await pauseFor(answer?.forMs ?? jitteredPauseMs(tries, random), clock, signal);
    }
    throw signal.reason;
  }

  function endOf(permit: SharedPermit): EndTurn {
    const stopRenewing = renewWhileUnderWay(permit, clock);
    return () => {
      stopRenewing();
      permit.done(1);
    };
  }

  return {
    async turn(asked) {
      const { host, brand, hurry, signal } = asked;
      const ends = [await pace.turn(asked)];
      let isOver = false;
      const end: EndTurn = (gaveCalendar) => {
        if (isOver) return;
        isOver = true;
        for (const one of ends) one(gaveCalendar);
      };
      try {
        const urgency = hurry?.aborted ? 'live' : asked.urgency;
        // The brand first: whoever waits for a host then keeps nobody else from it.
        const ofBrand = share({ id: `feeds of/${brand}`, ...BRAND_PACE });
        ends.push(await untilGranted(ofBrand.budget, urgency, signal));
        const ofHost = share({ id: `feeds on/${host}`, ...HOST_PACE });
        ends.push(await untilGranted(ofHost.budget, urgency, signal));
        return end;
      } catch (reason) {
        end(false);
        throw reason;
      }
    },
  };
}
