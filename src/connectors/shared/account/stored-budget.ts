import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BudgetSnapshot } from '../../../limits/request-budget.ts';
import { MAX_STORED_SLICES } from '../../../limits/window-count.ts';
import { MAX_PAUSE_MS } from './rate-limit-report.ts';

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

export type BudgetDocument = {
  readonly snapshot: BudgetSnapshot;
  /** In epoch milliseconds. */
  readonly savedAt: number;
};

export function writeBudgetDocument(
  { pauseMs, windows }: BudgetSnapshot,
  savedAt: number,
): Uint8Array<ArrayBuffer> {
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

/** Undefined for one that cannot be read: then the vendor says what it has counted. */
export function readBudgetDocument(bytes: Uint8Array): BudgetDocument | undefined {
  const stored = parsed(bytes);
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

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
