import type { Rejection } from '../../../catalogue/rejections/rejection.ts';
import type { Listing } from './listing.ts';
import { POLICY_NOT_PUBLISHED } from './policy-not-published.ts';

/** What a vendor says of a property, in the shape of `Listing`, but not checked yet. */
export type RawListing = { readonly [Member in keyof Listing]?: unknown } & {
  /** Of the city, as a code or a name. No part of a property: `connect` knows by it what the city lies in. */
  readonly country?: unknown;
};

/** A listing whose booking system has no policy says so, and is reported for it. */
export function withPolicy(listing: RawListing): {
  readonly listing: RawListing;
  readonly rejections: readonly Rejection[];
} {
  const { cancellation, reference } = listing;
  const summary =
    typeof cancellation === 'object' && cancellation ? Reflect.get(cancellation, 'summary') : undefined;
  if (typeof summary === 'string' && summary.trim() !== '') return { listing, rejections: [] };
  return {
    listing: {
      ...listing,
      cancellation: { ...(cancellation as object | undefined), summary: POLICY_NOT_PUBLISHED },
    },
    rejections: typeof reference === 'string' ? [policyMissing(reference)] : [],
  };
}

function policyMissing(reference: string): Rejection {
  const reason = 'is not published by the booking system, and the listing says so';
  return { reference, field: 'cancellation/summary', rule: 'missing_member', reason, repaired: true };
}
