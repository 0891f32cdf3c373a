/** Where the one snapshot of an index is kept. */
export type SnapshotFile = {
  /**
   * What `fill` appends takes the place of the last snapshot, once all of it is on disk. If anything fails before, also `fill`
   * itself, the last one stays. `bytes` is how much will be appended.
   */
  replace(
    bytes: number,
    fill: (append: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Undefined when there is none. */
  open(): Promise<StoredSnapshot | undefined>;
};

export type StoredSnapshot = {
  readonly bytes: number;
  /** Fills `target` with what comes next; rejects when there is not as much. */
  read(target: Uint8Array): Promise<void>;
  close(): Promise<void>;
};
