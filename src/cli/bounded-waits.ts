import type { Clock } from '../clock.ts';
import type { OperatorAccess } from '../operators/connector.ts';
import type { Terminal } from './terminal.ts';

/** A person waits: no call waits longer than this for its turn in the budget of an account. */
const MAX_WAIT_MS = 60_000;
const SAY_SO_AFTER_MS = 3000;

/** Gives up what would wait for hours, and says once that something waits. */
export function withBoundedWaits(
  access: OperatorAccess,
  { clock, terminal }: { readonly clock: Clock; readonly terminal: Pick<Terminal, 'note'> },
): OperatorAccess {
  let isSaid = false;
  function sayThatItWaits(account: string): void {
    if (isSaid) return;
    isSaid = true;
    terminal.note(
      `The account ${account} has used up its limit for now: a call waits for up to ${MAX_WAIT_MS / 1000} s …`,
    );
  }
  return {
    ...access,
    openAccount(terms) {
      const { budget, token } = access.openAccount(terms);
      return {
        token,
        budget: {
          ...budget,
          async take(options) {
            const stopTimer = clock.after(SAY_SO_AFTER_MS, () => sayThatItWaits(terms.name));
            try {
              return await budget.take({ ...options, withinMs: Math.min(options.withinMs, MAX_WAIT_MS) });
            } finally {
              stopTimer();
            }
          },
        },
      };
    },
  };
}
