import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../clock.ts';
import { createSequence } from '../limits/keyed-mutex.ts';

/** The owner's decisions about brands, for all nodes and across restarts. */
export interface BrandControls {
  /** Of the brands with a decision. */
  all(): Promise<readonly BrandControl[]>;
  setPaused(brand: BrandId, isPaused: boolean, at: number): Promise<void>;
  /** Asks the node that leads the brand to read it again. */
  requestReading(brand: BrandId, at: number): Promise<void>;
}

/** For a store that has no place for decisions. */
export const NO_CONTROLS: BrandControls = {
  all: async () => [],
  setPaused: cannotStore,
  requestReading: cannotStore,
};

async function cannotStore(): Promise<never> {
  throw new Error('What is decided about brands cannot be kept here.');
}

export type BrandControl = {
  readonly brand: BrandId;
  /** When its homes were taken off offer, in epoch milliseconds; null while they are on offer. */
  readonly pausedAt: number | null;
  /** When the owner last requested a reading, in epoch milliseconds; null when never. */
  readonly readingRequestedAt: number | null;
};

/** How soon a decision made on another node takes effect on this one. */
const POLL_EVERY_MS = 1000;
/** A node also starts while its store is unreachable, with the homes that it last had. */
const MAX_READS_AT_START = 10;

/** Polls the owner's decisions about brands, made on this node or another. */
export function createControlsWatch({
  controls,
  clock,
  take,
  onFailure,
}: {
  readonly controls: Pick<BrandControls, 'all'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly take: (decided: readonly BrandControl[]) => void;
  /** Called once per outage. The last known decisions stay in effect. */
  readonly onFailure: (error: unknown) => void;
}) {
  const serially = createSequence();
  let isKnown = true;
  let isStopped = false;
  let cancelNext = () => {};

  async function readOnce(): Promise<void> {
    if (isStopped) return;
    try {
      take(await controls.all());
      isKnown = true;
    } catch (error) {
      if (isKnown) onFailure(error);
      isKnown = false;
    }
  }

  const look = () => serially(readOnce);

  function readLater(): void {
    if (isStopped) return;
    cancelNext = clock.after(POLL_EVERY_MS, () => void look().then(readLater));
  }

  return {
    /** Await this before offering any home. Never rejects. */
    async begin(signal: AbortSignal): Promise<void> {
      for (let tries = 1; ; tries += 1) {
        await look();
        if (isKnown || signal.aborted || tries === MAX_READS_AT_START) return;
        await pauseFor(POLL_EVERY_MS, clock, signal);
      }
    },
    /** Reads them now, after a read under way. Never rejects. */
    look,
    /** Reads them regularly from now on. */
    start: readLater,
    async stop(): Promise<void> {
      isStopped = true;
      cancelNext();
      await serially(async () => {});
    },
  };
}
