import { hash } from 'node:crypto';
import type { Property } from './catalogue.ts';

/** 48 bits of a hash: enough to tell whether a listing has changed, and a plain number. */
export type ListingDigest = number;

const DIGEST_BYTES = 6;

/** Of a listing as JSON. One reader makes all listings, so their members are in the same order. */
export function digestOfText(text: string): ListingDigest {
  return hash('sha256', text, 'buffer').readUIntBE(0, DIGEST_BYTES);
}

export function listingDigest(property: Property): ListingDigest {
  return digestOfText(JSON.stringify(property));
}
