import type { MinorUnits } from '../stay/money.ts';
import type { Deposit } from './booking-system.ts';

/** Taxes and a cleaning fee on the spot are common; whoever wants half the price again there has not quoted a price. */
const MAX_SHARE_BESIDES = 0.5;

type PricedTerms = {
  readonly total: MinorUnits;
  readonly dueOnSite: MinorUnits | null;
  readonly deposit: Deposit | null;
};

/**
 * What a traveller pays in the end besides the total. A deposit that is not given back is a part of the total that is paid in
 * advance, as far as it is not more than that.
 */
export function paidBesides({ total, dueOnSite, deposit }: PricedTerms): MinorUnits {
  const kept = deposit && !deposit.refundable ? Math.max(0, deposit.amount - total) : 0;
  return (dueOnSite ?? 0) + kept;
}

/** Ranked by its total, it would come first with the money that it takes elsewhere. */
export function isMostlyPaidElsewhere(terms: PricedTerms): boolean {
  return paidBesides(terms) > terms.total * MAX_SHARE_BESIDES;
}
