import type { Clock } from '../../clock.ts';
import { jitteredPauseMs, pauseFor } from '../../quotes/pauses.ts';
import type { Random } from '../../random.ts';
import { renewWhileUnderWay } from '../account/renewed-permit.ts';
import type { CallUrgency } from '../account/request-budget.ts';
import type { OpenSharedAccount, SharedPermit } from '../account/shared-account.ts';
import { type FeedPace, HOST_PACE } from './feed-pace.ts';

/**
 * For a node that is one of several: a host is asked by all of them together no faster than by one. Each node's own pace chooses who goes next;
 * a brand has its pace on each node.
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
    host: string,
    urgency: CallUrgency,
    signal: AbortSignal,
  ): Promise<SharedPermit> {
    const { budget } = share({ id: `feeds/${host}`, ...HOST_PACE });
    for (let tries = 0; !signal.aborted; tries += 1) {
      // While nobody knows how often the host was asked it is not asked.
      const answer = await budget.take({ urgency, goesFirst: true }).catch(() => null);
      if (answer?.kind === 'granted') return answer;
      await pauseFor(answer?.forMs ?? jitteredPauseMs(tries, random), clock, signal);
    }
    throw signal.reason;
  }

  return {
    async turn(asked) {
      const end = await pace.turn(asked);
      try {
        const urgency = asked.hurry?.aborted ? 'live' : asked.urgency;
        const permit = await untilGranted(asked.host, urgency, asked.signal);
        const stopRenewing = renewWhileUnderWay(permit, clock);
        return () => {
          stopRenewing();
          permit.done(1);
          end();
        };
      } catch (reason) {
        end();
        throw reason;
      }
    },
  };
}
