import { Worker } from 'node:worker_threads';
import type { BrandId, Place, PlaceId } from '../../../catalogue/catalogue.ts';
import type { Clock } from '../../../clock.ts';
import { workerBeside } from '../../../parsing/owned-memory.ts';
import type { Intake, IntakeOrder, IntakeResult, IntakeTaskName } from './intake.ts';
import { createIntakeLane } from './intake-lane.ts';
import { runInline } from './run-task.ts';

/** Passed to a reading thread when it starts. */
export type IntakeThreadData = { readonly places: ReadonlyMap<PlaceId, Place> };

const WORKER_FILE = workerBeside(import.meta.url, 'intake');

/** A page of 16 MiB takes a second or two; a price is of no use after the four seconds of a quote call. */
const MAX_LIVE_MS = 3000;
const MAX_BACKGROUND_MS = 10_000;
/** A thread starts in less than a second: a traveller waits for that once in a while, a background document each time. */
const MAX_LIVE_IDLE_MS = 600_000;
const MAX_BACKGROUND_IDLE_MS = 5000;
/** A document at all limits of `parseDocument` needs less than half of this. */
const MAX_HEAP_MEGABYTES = 384;
const YOUNG_HEAP_MEGABYTES = 12;
/** Answers to an ordinary quote call are shorter, and moving them to a thread would take longer than reading them. */
const MAX_SHORT_BYTES = 12 * 1024;
/** Ten or more ordinary answers. A turn can last one document longer, because its cost is unknown before. */
const MAX_SHORT_MS_A_TURN = 5;
/** A hostile text takes a hundred times as long as an honest one of that length: then a thread reads for its brand for a while. */
const MAX_SHORT_MS = 20;
const ELSEWHERE_MS = 30_000;

/** Reads live documents on one thread and background documents on another, short live ones on the calling thread. */
export function createIntakeThreads({ places, clock }: IntakeThreadData & { readonly clock: Clock }): Intake {
  const startWorker = () =>
    new Worker(WORKER_FILE, {
      workerData: { places } satisfies IntakeThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MEGABYTES,
      },
    });
  const live = createIntakeLane({ startWorker, clock, maxTaskMs: MAX_LIVE_MS, maxIdleMs: MAX_LIVE_IDLE_MS });
  const background = createIntakeLane({
    startWorker,
    clock,
    maxTaskMs: MAX_BACKGROUND_MS,
    maxIdleMs: MAX_BACKGROUND_IDLE_MS,
  });
  /** By brand, until when its short documents are read on a thread too. */
  const elsewhereUntil = new Map<BrandId, number>();
  let spentMs = 0;

  function maybeHere({ lane, brand, document }: IntakeOrder): boolean {
    if (lane !== 'live' || document.byteLength > MAX_SHORT_BYTES || spentMs >= MAX_SHORT_MS_A_TURN)
      return false;
    const until = elsewhereUntil.get(brand);
    if (until === undefined || until > clock.elapsed()) return until === undefined;
    return elsewhereUntil.delete(brand);
  }

  function readHere<Name extends IntakeTaskName>(order: IntakeOrder<Name>): IntakeResult<Name> {
    const startedAt = clock.elapsed();
    if (spentMs === 0) {
      setImmediate(() => {
        spentMs = 0;
      });
    }
    try {
      return runInline(order, places);
    } finally {
      const tookMs = clock.elapsed() - startedAt;
      spentMs += tookMs;
      if (tookMs > MAX_SHORT_MS) elsewhereUntil.set(order.brand, clock.elapsed() + ELSEWHERE_MS);
    }
  }

  return {
    async run(order) {
      if (maybeHere(order)) return readHere(order);
      return await (order.lane === 'live' ? live : background).run(order);
    },
    async close() {
      await Promise.all([live.close(), background.close()]);
    },
  };
}
