import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { createRequestBudget } from './node-budget.ts';
import type {
  NodePermit,
  Permit,
  RequestBudget,
  RequestBudgetOptions,
  TurnOptions,
} from './request-budget.ts';
import type { SharedBudget, SharedCall, SharedPermit, SharedWait } from './shared-account.ts';
import { jitteredPauseMs, renewWhileUnderWay } from './shared-account.ts';

/**
 * The budget of one node of several. The node's own budget chooses the next call by urgency, turns and shares. That call then asks the
 * shared store for a permit, and returns to its place in the queue if there is none.
 */
export function createSharedBudget({
  shared,
  random,
  ...options
}: RequestBudgetOptions & { readonly shared: SharedBudget; readonly random: Random }): RequestBudget {
  const { clock } = options;
  const node = createRequestBudget(options);
  // One after the other: the answer to the first also applies to those behind it, which then need not ask.
  let asking: Promise<unknown> = Promise.resolve();

  function askInTurn(call: SharedCall): Promise<SharedPermit | SharedWait> {
    const answer = asking.then(() => (node.isPostponed(call.urgency) ? UNKNOWN : askOnce(call)));
    asking = answer;
    return answer;
  }

  /** While the store does not answer, nothing is left. */
  async function askOnce(call: SharedCall): Promise<SharedPermit | SharedWait> {
    try {
      return await shared.take(call);
    } catch {
      return UNKNOWN;
    }
  }

  async function take(options: TurnOptions): Promise<Permit> {
    const turns = createTurns(options, clock);
    for (let tries = 0; ; tries += 1) {
      const permit = await node.take(turns.next());
      const urgency = turns.isHurried() ? 'live' : options.urgency;
      const { caller, goesFirst } = permit;
      const answer = await askInTurn({ urgency, goesFirst, caller });
      if (answer.kind === 'granted') {
        if (!options.signal.aborted) return ofBoth(permit, answer, clock);
        answer.done(0);
        permit.giveBack();
        throw options.signal.reason;
      }
      // Before the call returns to the queue, so that the next one does not go in its place.
      if (answer.kind === 'rest' && caller) node.rest(caller, answer.forMs ?? 0);
      else if (!node.isPostponed(urgency))
        node.postpone(urgency, answer.forMs ?? jitteredPauseMs(tries, random));
      permit.giveBack();
    }
  }

  return {
    take,
    pause(milliseconds) {
      node.pause(milliseconds);
      shared.pause(milliseconds);
    },
    learn(left, endsInMs) {
      if (left <= 0) this.pause(endsInMs);
    },
    restsForMs: (askedBy) => node.restsForMs(askedBy),
    use: () => node.use(),
  };
}

const UNKNOWN: SharedWait = { kind: 'wait', forMs: null };

/** The rest of a call's time when it returns to its node's queue. */
function createTurns({ hurry, ...options }: TurnOptions, clock: Clock) {
  let until = clock.elapsed() + options.withinMs;
  let wasHurried = false;
  const isHurried = () => options.urgency === 'live' || hurry?.signal.aborted === true;
  return {
    isHurried,
    next(): TurnOptions {
      const now = clock.elapsed();
      if (hurry && isHurried() && !wasHurried) {
        wasHurried = true;
        until = Math.min(until, now + hurry.withinMs);
      }
      const withinMs = Math.max(0, until - now);
      return isHurried() || !hurry
        ? { ...options, urgency: isHurried() ? 'live' : options.urgency, withinMs }
        : { ...options, withinMs, hurry };
    },
  };
}

function ofBoth(permit: NodePermit, granted: SharedPermit, clock: Clock): Permit {
  const { giveWay } = permit;
  const stopRenewing = renewWhileUnderWay(granted, clock, giveWay && (() => permit.makeWay()));
  let isDone = false;
  return {
    ...(giveWay ? { giveWay } : {}),
    done(cost = 1) {
      if (isDone) return;
      isDone = true;
      stopRenewing();
      granted.done(cost);
      permit.done(cost);
    },
  };
}
