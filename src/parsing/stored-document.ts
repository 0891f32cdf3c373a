import type { OwnedBytes } from './worker-file.ts';

/** One document of the brand that survives a restart. */
export type StoredDocument = {
  read(): Promise<OwnedBytes | undefined>;
  /** Takes the memory of the document. */
  save(document: OwnedBytes): Promise<void>;
};
