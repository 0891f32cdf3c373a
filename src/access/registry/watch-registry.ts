import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import type { Reading } from '../../parsing/reading.ts';
import type { AssistantRegistry } from './assistant-registry.ts';
import type { RegistryDocument, RegistrySource } from './registry-source.ts';

/** What the owner should know. Each is told once, until something else is the case. */
export type RegistryEvent =
  /** The document is in force, whether or not it says anything new. */
  | { readonly kind: 'taken'; readonly registry: AssistantRegistry }
  /** There never was one, and now that is known again. */
  | { readonly kind: 'none' }
  /** The registry that was read last stays in force, as it does in the next two. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable'; readonly message: string };

export type RegistryWatch = {
  /** Looks now, for whoever has just changed it; afterwards it is in force, unless it cannot be used or reached. */
  look(): Promise<void>;
  /** Nothing is taken or told afterwards. */
  close(): Promise<void>;
};

export type RegistryWatchOptions = {
  readonly source: Pick<RegistrySource, 'read'>;
  readonly read: (document: RegistryDocument) => Reading<AssistantRegistry>;
  /** What is in force when the watch begins; null for no document. */
  readonly current: { readonly version: string | null; readonly registry: AssistantRegistry | null };
  readonly clock: Pick<Clock, 'after'>;
  readonly onChange: (registry: AssistantRegistry) => void;
  readonly observe: (event: RegistryEvent) => void;
};

export const LOOK_EVERY_MS = 1000;
/** A disk or a server that hangs may never answer. */
const MAX_LOOK_MS = 10_000;
/** A registry can name files with ranges, which change without it. */
const READ_ANEW_EVERY_LOOKS = 60;

/**
 * Looks every second for another registry. One that cannot be used, or not be reached, changes nothing: an owner's mistake or a server that is
 * down neither lets anybody in nor shuts anybody out. A document that has gone is such a mistake too; to approve nobody, list nobody.
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
  /** What the source was asked and has not answered: nobody asks it again meanwhile. */
  let asked: Promise<RegistryDocument | null> | null = null;
  let giveUp = () => {};
  let looking = Promise.resolve();
  let cancel = lookLater();

  function lookLater(): () => void {
    return clock.after(LOOK_EVERY_MS, () => void lookNext());
  }

  /** One look at a time: one that is under way may have read before the change. */
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
      tellOnce('unreachable', { kind: 'unreachable', message });
      return;
    }
    if (isClosed) return;
    if (document === null) {
      // One that has never been there is missed by nobody.
      if (registry !== null) return tellOnce('missing', { kind: 'missing' });
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
      tellOnce(`${document.version} ${faults.join('\n')}`, { kind: 'faulty', faults });
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

  function tellOnce(what: string, event: RegistryEvent): void {
    if (isClosed || trouble === what) return;
    trouble = what;
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
