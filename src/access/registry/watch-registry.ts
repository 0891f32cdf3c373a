import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { AssistantRegistry } from './assistant-registry.ts';
import type { RegistryDocument, RegistrySource } from './registry-source.ts';

/** Events for the owner. Each is reported once, until the state changes. */
export type RegistryEvent =
  /** The document is in force, with or without changes. */
  | { readonly kind: 'taken'; readonly registry: AssistantRegistry }
  /** There was no registry before, and the source answers this again. */
  | { readonly kind: 'none' }
  /** The last registry stays in force, as with the next two events. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable'; readonly message: string };

export type RegistryWatch = {
  /** Checks immediately after a change; afterwards the registry is in force, unless it is faulty or unreachable. */
  look(): Promise<void>;
  /** Afterwards no registry is applied and no event reported. */
  close(): Promise<void>;
};

export type RegistryWatchOptions = {
  readonly source: Pick<RegistrySource, 'read'>;
  readonly read: (document: RegistryDocument) => Reading<AssistantRegistry>;
  /** The registry in force when the watch begins; null without a document. */
  readonly current: { readonly version: string | null; readonly registry: AssistantRegistry | null };
  readonly clock: Pick<Clock, 'after'>;
  readonly onChange: (registry: AssistantRegistry) => void;
  readonly observe: (event: RegistryEvent) => void;
};

export const LOOK_EVERY_MS = 1000;
/** The deadline for a disk or a server that hangs. */
const MAX_LOOK_MS = 10_000;
/** A registry can name range files, which change independently. */
const READ_ANEW_EVERY_LOOKS = 60;

/**
 * Checks every second for a new registry. A faulty or unreachable one changes nothing: an owner's mistake or a server that is down neither
 * admits nor excludes callers. A missing document counts as a mistake too; to approve no assistants, store an empty list.
 */
export function watchRegistry({
  source,
  read,
  current,
  clock,
  onChange,
  observe,
}: RegistryWatchOptions): RegistryWatch {
  let { registry } = current;
  let { version } = current;
  let looksSinceRead = 0;
  let trouble: string | null = null;
  let isClosed = false;
  /** The pending read of the source. It is not repeated meanwhile. */
  let asked: Promise<RegistryDocument | null> | null = null;
  let giveUp = () => {};
  let looking = Promise.resolve();
  let cancel = lookLater();

  function lookLater(): () => void {
    return clock.after(LOOK_EVERY_MS, () => void lookNext());
  }

  /** One check at a time, and a new one after the current one, which may have read before the change. */
  function lookNext(): Promise<void> {
    looking = looking.then(look).then(() => {
      cancel();
      if (!isClosed) cancel = lookLater();
    });
    return looking;
  }

  async function look(): Promise<void> {
    if (isClosed) return;
    let document: RegistryDocument | null;
    try {
      document = await answerInTime();
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure);
      reportOnce('unreachable', { kind: 'unreachable', message });
      return;
    }
    if (isClosed) return;
    if (document === null) {
      // A registry that never existed is not missing.
      if (registry !== null) return reportOnce('missing', { kind: 'missing' });
      if (trouble !== null) observe({ kind: 'none' });
      trouble = null;
      return;
    }
    looksSinceRead += 1;
    if (document.version === version && trouble === null && looksSinceRead < READ_ANEW_EVERY_LOOKS) return;
    looksSinceRead = 0;
    take(document);
  }

  function answerInTime(): Promise<RegistryDocument | null> {
    asked ??= source.read().finally(() => {
      asked = null;
    });
    const { promise, resolve, reject } = Promise.withResolvers<RegistryDocument | null>();
    asked.then(resolve, reject);
    giveUp = () => reject(new Error('there is no answer'));
    const cancelWait = clock.after(MAX_LOOK_MS, giveUp);
    return promise.finally(cancelWait);
  }

  function take(document: RegistryDocument): void {
    const reading = read(document);
    if (reading.kind === 'invalid') {
      const { faults } = reading;
      reportOnce(`${document.version} ${faults.join('\n')}`, { kind: 'faulty', faults });
      return;
    }
    const wasInTrouble = trouble !== null;
    const isOther = !isDeepStrictEqual(reading.value, registry);
    version = document.version;
    trouble = null;
    if (isOther) {
      registry = reading.value;
      onChange(registry);
    }
    if (isOther || wasInTrouble) observe({ kind: 'taken', registry: reading.value });
  }

  function reportOnce(problem: string, event: RegistryEvent): void {
    if (isClosed || trouble === problem) return;
    trouble = problem;
    observe(event);
  }

  return {
    look: lookNext,
    async close() {
      isClosed = true;
      cancel();
      giveUp();
      await looking;
    },
  };
}
