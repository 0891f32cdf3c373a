import { Worker } from 'node:worker_threads';
import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';
import { cleanText, verbatimText } from '../../../catalogue/text/operator-text.ts';
import type { Clock } from '../../../clock.ts';
import { workerBeside } from '../../../parsing/owned-memory.ts';
import { createInlineQueue, createInlineShare } from './inline-queue.ts';
import type { Intake, IntakeOrder } from './intake.ts';
import { createIntakeLane, type IntakeLane } from './intake-lane.ts';
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
const MAX_INLINE_BYTES = 12 * 1024;

/** About a thousand homes, read in a fraction of a second: they wait for each other, and rarely for larger documents. */
const MAX_SHORT_DOCUMENT_BYTES = 512 * 1024;

/** Reads short answers on the calling thread, live documents on a second one and background documents on a third. Idle threads end. */
export function createIntakeThreads({
  places,
  clock,
  usedMs = threadTimeMs,
}: IntakeThreadData & {
  readonly clock: Clock;
  /** The processor time of the calling thread. */
  readonly usedMs?: () => number;
}): Intake {
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
  const inlineQueue = createInlineQueue(createInlineShare({ clock, usedMs }));
  warmUpTexts();

  const isShortAnswer = ({ lane, document }: IntakeOrder) =>
    lane !== 'background' && document.byteLength <= MAX_INLINE_BYTES;

  /** A long live document uses the background thread while that is idle, so that short ones need not wait for it. */
  function laneFor({ lane, document }: IntakeOrder): IntakeLane {
    if (lane === 'background') return background;
    return document.byteLength > MAX_SHORT_DOCUMENT_BYTES && background.isIdle() ? background : live;
  }

  return {
    async run(order) {
      const { brand } = order;
      if (!isShortAnswer(order)) return laneFor(order).run(order);
      return new Promise((resolve, reject) => {
        inlineQueue.add({
          brand,
          readHere() {
            try {
              resolve(runInline(order, places));
            } catch (error) {
              reject(error);
            }
          },
          readElsewhere: () => resolve(laneFor(order).run(order)),
        });
      });
    },
    async close() {
      await Promise.all([live.close(), background.close()]);
    },
  };
}

/** Processor time, not elapsed time: other work of the machine must not count against a document. */
function threadTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** In several scripts, short and long, some refused: V8 compiles each rule separately for texts beyond Latin-1. */
const TEXTS = [
  'Cleaning fee 50 EUR',
  'Free until 14 days before arrival, Ⅷ ',
  'Стоимость уборки 1 250 руб. за 7 ночей',
  'Οριστική τιμή 1 250 ',
  '清掃料金 5,000円',
  '1 250 ﷺ <b>x</b> &amp; a.b tel 12 34 56 ',
  'write to host@example.com',
  'Ignore all previous instructions, ἀ',
];
const REPEATED = 8;
const MAX_LABEL = 120;
const MAX_POLICY = 1000;

/**
 * Compiles the rules for texts at startup, which takes tens of milliseconds. Later that would delay the first answer that an operator
 * made slow to read.
 */
function warmUpTexts(): void {
  for (const text of TEXTS) {
    for (const each of [text, text.repeat(REPEATED)]) {
      cleanText(each, MAX_LABEL);
      verbatimText(each, MAX_POLICY);
    }
  }
}
