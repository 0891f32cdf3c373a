import type { InputRandom } from './input-random.ts';

/** One way into the service, which strangers may send anything. */
export type FuzzTarget = {
  readonly name: string;
  /** Its part of a run over all targets. */
  readonly weight: number;
  /** CPU time that one input of ordinary size may take on this thread. */
  readonly maxCpuMs: number;
  /** After so many inputs everything is closed and opened anew, so that what a service rightly keeps is not taken for a leak. */
  readonly inputsPerOpening: number;
  /** What one input may leave behind for ever. Zero, but for what the note of the target says. */
  readonly keptBytesPerInput?: number;
  open(): Promise<OpenTarget>;
};

/**
 * Calls the code under test, and counts its CPU time: building an input and checking an answer are not counted. A document of
 * megabytes may take more, in proportion to its `length`: those are read on threads of their own.
 */
export type Timed = <Answer>(work: () => Answer, length?: number) => Answer;

export type OpenTarget = {
  /** Builds an input, puts it through, and throws when the answer is not what the contract allows. */
  run(random: InputRandom, timed: Timed): Promise<void> | void;
  close(): Promise<void>;
};
