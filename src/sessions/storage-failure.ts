/** Why a store could not do what it was asked. Nothing of the refused change is kept, unless the kind says otherwise. */
export type StorageFailureKind =
  /** The disk (or its quota) has no room. */
  | 'full'
  /** Another program holds the database's lock. */
  | 'busy'
  | 'input_output'
  | 'corrupt'
  /** Too many changes wait for the disk already; nothing was tried. */
  | 'overloaded'
  /** The change breaks a rule of the store, such as opening a session twice. */
  | 'refused'
  /** The writer ended in the middle: whether the change was kept is not known. */
  | 'interrupted'
  | 'closed'
  /** Another process works on the same data. */
  | 'in_use'
  /** The data was written by a later version of this program, or by another program. */
  | 'unknown_format';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;

  constructor(kind: StorageFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StorageFailure';
    this.kind = kind;
  }
}
