/** What was counted of a session, so that nothing of it is counted twice, on whichever node its requests arrive. */
export type SessionTally = {
  /** The last refusal at the stage where it stands; empty when there was none. */
  readonly refusal: string;
  /** Hashes of what was counted once. */
  readonly counted: readonly number[];
};

export const NOTHING_COUNTED: SessionTally = { refusal: '', counted: [] };
/** What a session asks for beyond these is not counted. */
export const MAX_COUNTED = 32;
