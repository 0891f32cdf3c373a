import { untilAborted } from '../../../limits/deadline.ts';
import { createRequestBudget } from '../../../limits/node-budget.ts';
import type {
  BudgetSnapshot,
  Permit,
  RequestBudget,
  RequestBudgetOptions,
  TurnOptions,
} from '../../../limits/request-budget.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { readBudgetDocument, writeBudgetDocument } from './stored-budget.ts';

export type LastingBudget = RequestBudget & {
  /** Stores what is not stored yet. Never rejects. */
  save(): Promise<void>;
};

/** Calls come many times a second; a process that is killed may lose what they spent in this time. */
const SAVE_AFTER_MS = 1000;

/** A budget that survives a restart, because the vendor's count does. No call waits for the storing, or fails with it. */
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

  /** One after the other, so that whoever waits for the last one waits for all. */
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
      // Whoever owns the store hears of its faults; the next change, or the end, tries again.
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
    // One less, because both times were rounded.
    const agedMs = clock.now() - savedAt - 1;
    budget.restore(snapshot, Math.max(0, agedMs));
    // Of a clock that was stepped back since: without a new date each restart would find it as young as it was.
    if (agedMs < -1) changed();
  }

  async function takeAfterReading(options: TurnOptions): Promise<Permit> {
    reading ??= read();
    await untilAborted(reading, options.signal);
    return budget.take(options);
  }

  return {
    take: (turn) => (isRead ? budget.take(turn) : takeAfterReading(turn)),
    pause: (milliseconds) => budget.pause(milliseconds),
    learn: (left, endsInMs) => budget.learn(left, endsInMs),
    restsForMs: (askedBy) => budget.restsForMs(askedBy),
    use: () => budget.use(),
    save,
  };
}
