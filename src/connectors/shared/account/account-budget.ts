import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { untilAborted } from '../../../limits/deadline.ts';
import {
  type BudgetSnapshot,
  createRequestBudget,
  type RequestBudget,
  type RequestBudgetOptions,
} from '../../../limits/request-budget.ts';
import { MAX_STORED_SLICES } from '../../../limits/window-count.ts';
import { type ReadHeader, retryAfterMs } from '../../../outbound/read-answer.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { jsonIn } from '../../../parsing/reading.ts';

/** What the headers of an answer say about the budget of the account. */
export type RateLimitReport = {
  /** With a 429: send nothing for this long. */
  readonly pauseMs?: number;
  readonly left?: number;
  readonly leftEndsInMs?: number;
  /** The cost of this call. */
  readonly cost?: number;
};

export type ReadBudget = (header: ReadHeader, status: number) => RateLimitReport;

/** How long a background call waits for its turn: the budget of an hour may be used up. */
export const MAX_BACKGROUND_WAIT_MS = 2 * 3_600_000;
/** Longer pauses announced by a vendor are cut to this. */
export const MAX_PAUSE_MS = 6 * 3_600_000;
const PAUSE_WITHOUT_ADVICE_MS = 5000;

export function applyRateLimitReport(budget: RequestBudget, report: RateLimitReport, status: number): void {
  // With another status `Retry-After` concerns only that request.
  if (status === 429) budget.pause(Math.min(report.pauseMs ?? PAUSE_WITHOUT_ADVICE_MS, MAX_PAUSE_MS));
  // Other software may use the account too, so the vendor's count wins when it leaves less than ours.
  const { left = 1, leftEndsInMs = 0 } = report;
  if (left <= 0) budget.pause(Math.min(leftEndsInMs, MAX_PAUSE_MS));
}

/** The report of a vendor that announces only pauses, with `Retry-After`. */
export function pauseOf(header: ReadHeader, now: number): RateLimitReport {
  const pauseMs = retryAfterMs(header, now);
  return pauseMs === undefined ? {} : { pauseMs };
}

export type LastingBudget = RequestBudget & {
  /** Stores unsaved changes. Never rejects. */
  save(): Promise<void>;
};

/** Calls come many times a second; a killed process loses the spending of at most this time. */
const SAVE_AFTER_MS = 1000;

/** A budget that survives a restart, as the vendor's count does. No call waits for saving or fails with it. */
export function createLastingBudget({
  stored,
  ...options
}: Omit<RequestBudgetOptions, 'onChange'> & { readonly stored: StoredDocument }): LastingBudget {
  const { clock } = options;
  const budget = createRequestBudget({ ...options, onChange: changed });
  let reading: Promise<void> | undefined;
  let isRead = false;
  let isUnsaved = false;
  let cancelSave: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();

  function changed(): void {
    isUnsaved = true;
    cancelSave ??= clock.after(SAVE_AFTER_MS, () => void save());
  }

  /** Saves run one after the other, so that waiting for the last one waits for all. */
  function save(): Promise<void> {
    saving = saving.then(saveOnce);
    return saving;
  }

  async function saveOnce(): Promise<void> {
    cancelSave?.();
    cancelSave = undefined;
    if (!isUnsaved) return;
    isUnsaved = false;
    try {
      await stored.save(writeBudgetDocument(budget.snapshot(), clock.now()));
    } catch {
      // The store reports its own faults; the next change, or the final save, tries again.
      isUnsaved = true;
    }
  }

  async function read(): Promise<void> {
    const document = await readStored();
    if (document) restore(document.snapshot, document.savedAt);
    isRead = true;
  }

  async function readStored() {
    try {
      const bytes = await stored.read();
      return bytes && readBudgetDocument(bytes);
    } catch {
      return undefined;
    }
  }

  function restore(snapshot: BudgetSnapshot, savedAt: number): void {
    // Minus one, because both times were rounded.
    const agedMs = clock.now() - savedAt - 1;
    budget.restore(snapshot, Math.max(0, agedMs));
    // The clock was set back since: without a new date every restart would find it equally young.
    if (agedMs < -1) changed();
  }

  return {
    async take(turn) {
      reading ??= read();
      if (!isRead) await untilAborted(reading, turn.signal);
      return budget.take(turn);
    },
    pause: (milliseconds) => budget.pause(milliseconds),
    restsForMs: (askedBy) => budget.restsForMs(askedBy),
    use: () => budget.use(),
    save,
  };
}

const Time = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Cost = Type.Number({ minimum: 0, maximum: 1e9 });
const StoredBudget = Type.Object({
  version: Type.Literal(1),
  saved_at: Time,
  pause_ms: Time,
  windows: Type.Array(
    Type.Object({
      per_ms: Time,
      /** How long ago, what live calls and what background calls spent. */
      spent: Type.Array(Type.Tuple([Time, Cost, Cost]), { maxItems: 2 * MAX_STORED_SLICES }),
    }),
    { maxItems: 20 },
  ),
});
const storedBudget = Compile(StoredBudget);

type BudgetDocument = {
  readonly snapshot: BudgetSnapshot;
  /** In epoch milliseconds. */
  readonly savedAt: number;
};

function writeBudgetDocument({ pauseMs, windows }: BudgetSnapshot, savedAt: number): Uint8Array<ArrayBuffer> {
  const written: Static<typeof StoredBudget> = {
    version: 1,
    saved_at: savedAt,
    pause_ms: pauseMs,
    windows: windows.map(({ perMs, spent }) => ({
      per_ms: perMs,
      spent: spent.map(({ agoMs, live, background }) => [agoMs, live, background]),
    })),
  };
  return new TextEncoder().encode(JSON.stringify(written));
}

/** Undefined when unreadable: the vendor's answers then report its count. */
function readBudgetDocument(bytes: Uint8Array): BudgetDocument | undefined {
  const stored = jsonIn(bytes);
  if (!storedBudget.Check(stored)) return undefined;
  return {
    savedAt: stored.saved_at,
    snapshot: {
      pauseMs: Math.min(stored.pause_ms, MAX_PAUSE_MS),
      windows: stored.windows.map(({ per_ms, spent }) => ({
        perMs: per_ms,
        spent: spent.map(([agoMs, live, background]) => ({ agoMs, live, background })),
      })),
    },
  };
}
