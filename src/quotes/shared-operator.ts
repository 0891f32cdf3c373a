import type { BrandId } from '../catalogue/catalogue.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { EnteredCall } from './call-entrance.ts';
import type { BreakerListener } from './circuit-breaker.ts';

/** One operator as all nodes see it that ask it: how many calls are under way, and how those before have ended. */
export type SharedOperator = {
  /** Asks once for a caller, and does not wait for a place. Rejects when that cannot be known. */
  admit(caller: Line): Promise<SharedAdmission>;
};

export type SharedAdmission =
  | EnteredCall
  /** All places are taken, or the next one is for an assistant or a caller that has none. */
  | { readonly kind: 'full' }
  /** A call of some node finds out whether the operator is back. */
  | { readonly kind: 'awaits_probe' }
  /** It is left alone. */
  | { readonly kind: 'refused' };

export type OpenSharedOperator = (terms: {
  readonly brand: BrandId;
  /** Calls of all nodes together. */
  readonly concurrency: number;
  /** The last of those is for an address that has none. */
  readonly reservesLast: boolean;
  /** No call keeps its place for longer: that of a node that has died is free after this time. */
  readonly maxPlaceMs: number;
  /** Told the state of the breaker whenever the store was asked. */
  readonly onBreaker: BreakerListener;
}) => SharedOperator;
