import type { LoadedHome } from '../availability/inventory-store.ts';
import type { BrandBudget, Network } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { reasonToHoldBack } from './admit-listings.ts';

/** Why the network file of this node has no place for a stored home. */
export function misfitOf({ brand, reference, content }: LoadedHome, network: Network): Reason | undefined {
  // What the index has was put for the very same places, so it fits them still.
  return content ? reasonToHoldBack({ ...content.home, reference }, brand, network) : undefined;
}

/** `total` is of the brand, with the home. */
export function beyondBudget(total: BrandBudget, budget: BrandBudget): Reason | undefined {
  if (total.listings <= budget.listings && total.bytes <= budget.bytes) return undefined;
  const megabytes = budget.bytes / 2 ** 20;
  const reason = `is beyond the budget of its brand: budget.listings is ${budget.listings}, and budget.megabytes ${megabytes}`;
  return { field: '', rule: 'over_budget', reason };
}

type Reason = Omit<Rejection, 'reference'>;
