/** Why a store call failed. The change was not stored, unless the kind says otherwise. */
export type StorageFailureKind =
  /** The disk or its quota is full. */
  | 'full'
  /** Another program holds the database's lock. */
  | 'busy'
  | 'input_output'
  /** A server of the store does not answer in time. A change that was sent may still be stored. */
  | 'unreachable'
  /** The same, and the server has not answered since the start: its address or password may be wrong. */
  | 'never_reached'
  | 'corrupt'
  /** Too many changes are waiting to be written; this one was not tried. */
  | 'overloaded'
  /** The change breaks a rule of the store, such as opening a session twice. */
  | 'refused'
  /** The writer ended during the change: it may or may not be stored. */
  | 'interrupted'
  | 'closed'
  /** Another process has the data directory open. */
  | 'in_use'
  /** The data was written by a later version of this program. */
  | 'unknown_format'
  /** The file is a database of another program. */
  | 'foreign';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;
  /** For an unreachable server: it has certainly not carried out the call. */
  readonly wasNotCarriedOut: boolean;

  constructor(
    kind: StorageFailureKind,
    message: string,
    options?: { readonly cause?: unknown; readonly wasNotCarriedOut?: boolean },
  ) {
    super(message, options);
    this.name = 'StorageFailure';
    this.kind = kind;
    this.wasNotCarriedOut = options?.wasNotCarriedOut ?? false;
  }
}

/** The servers of a store that several nodes share. */
export type StoreServer = 'redis' | 'postgres';
