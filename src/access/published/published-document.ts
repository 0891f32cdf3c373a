/** What assistants publish about themselves, at an address that the owner's registry names. */
export type PublishedKind = 'keys' | 'ranges';

export type PublishedAddress = { readonly kind: PublishedKind; readonly url: string };

/** A document that was read: what it says, and the same written down once more, cleaned of everything else. */
export type PublishedContent<Content> = {
  readonly content: Content;
  /** Can be read again by the same reader, with the same content. */
  readonly text: string;
  /** The same for documents that name the same keys or networks, whenever they were written. */
  readonly identity: string;
  readonly count: number;
  /** Entries that are of no use here. */
  readonly dropped: number;
};

/** The text of a document is UTF-8; one that is not is refused rather than repaired. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
