import type { PublishedAddress } from './published-document.ts';

/** The last good copies of published documents, which outlive the process. Neither method throws. */
export type PublishedCopies = {
  /** Null when there is none, or none that can be read. */
  read(address: PublishedAddress): PublishedCopy | null;
  write(address: PublishedAddress, copy: PublishedCopy): void;
  /** Removes the copies of all other documents. */
  keepOnly(addresses: readonly PublishedAddress[]): void;
};

export type PublishedCopy = {
  /** When the publisher last said so, in epoch milliseconds. */
  readonly confirmedAt: number;
  /** As it was written down after reading, with nothing in it that is not needed. */
  readonly text: string;
};

/** For a service that keeps nothing. */
export const NO_COPIES: PublishedCopies = { read: () => null, write: () => {}, keepOnly: () => {} };
