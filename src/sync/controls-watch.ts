import { type Clock, pauseFor } from '../clock.ts';
import { createSequence } from '../limits/keyed-mutex.ts';
import type { BrandControl, BrandControls } from './brand-controls.ts';

/** So soon a decision that was made on another node counts on this one. */
const LOOKED_AT_EVERY_MS = 1000;
/** A node starts while its store is away, and then goes by what it last had of the homes. */
const MAX_TRIES_AT_A_START = 10;

/** Hears what the owner decides about brands, on this node or on another one. */
export type ControlsWatch = {
  /** To be awaited before anything is offered. Never rejects. */
  begin(signal: AbortSignal): Promise<void>;
  /** Looks now, after a look that is under way. Never rejects. */
  look(): Promise<void>;
  /** Looks regularly from now on. */
  start(): void;
  /** Waits for the look that is under way. */
  stop(): Promise<void>;
};

export function createControlsWatch({
  controls,
  clock,
  take,
  onFailure,
}: {
  readonly controls: Pick<BrandControls, 'all'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly take: (decided: readonly BrandControl[]) => void;
  /** Once, until they are known again: what was decided last goes on to count. */
  readonly onFailure: (error: unknown) => void;
}): ControlsWatch {
  const inLine = createSequence();
  let isKnown = true;
  let isStopped = false;
  let cancelNext = () => {};

  async function lookOnce(): Promise<void> {
    if (isStopped) return;
    try {
      take(await controls.all());
      isKnown = true;
    } catch (error) {
      if (isKnown) onFailure(error);
      isKnown = false;
    }
  }

  const look = () => inLine(lookOnce);

  function lookLater(): void {
    if (isStopped) return;
    cancelNext = clock.after(LOOKED_AT_EVERY_MS, () => void look().then(lookLater));
  }

  return {
    async begin(signal) {
      for (let tries = 1; ; tries += 1) {
        await look();
        if (isKnown || signal.aborted || tries === MAX_TRIES_AT_A_START) return;
        await pauseFor(LOOKED_AT_EVERY_MS, clock, signal);
      }
    },
    look,
    start: lookLater,
    async stop() {
      isStopped = true;
      cancelNext();
      await inLine(async () => {});
    },
  };
}
