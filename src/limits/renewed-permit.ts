import type { Clock } from '../clock.ts';
import type { SharedPermit } from './shared-account.ts';

const RENEWED_EVERY_MS = 5000;
/** One that gives way also asks whether it has to. */
const LOOKS_ROUND_EVERY_MS = 500;

/** Tells the other nodes that a call is still under way, until the returned function is called. */
export function renewWhileUnderWay(
  permit: SharedPermit,
  clock: Clock,
  /** Told that a live call of some node waits for the place; for a call that gives way. */
  onWanted?: () => void,
): () => void {
  let isOver = false;
  let cancel = renewLater();

  function renewLater(): () => void {
    return clock.after(onWanted ? LOOKS_ROUND_EVERY_MS : RENEWED_EVERY_MS, async () => {
      const isWanted = await permit.renew().catch(() => false);
      if (isOver) return;
      if (isWanted) onWanted?.();
      cancel = renewLater();
    });
  }

  return () => {
    isOver = true;
    cancel();
  };
}
