import type { LoadedHome } from '../availability/inventory-store.ts';
import type { BrandBudget, Network } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { inTurns } from '../limits/event-loop.ts';
import { beyondBudget, misfitOf } from './admit-stored.ts';
import type { BrandOffer } from './brand-offer.ts';

const HOMES_A_TURN = 1000;

export type AdmittedHomes = {
  readonly fitting: readonly LoadedHome[];
  /** These are not to be offered, in whatever state they were before. */
  readonly misfits: readonly LoadedHome[];
  readonly rejections: readonly Rejection[];
};

/** Another node may have another network file, so what it has stored is admitted as what is loaded at a start. */
export async function admitChanges(
  homes: readonly LoadedHome[],
  {
    offer,
    network,
    budget,
  }: {
    readonly offer: Pick<BrandOffer, 'listing' | 'total'>;
    readonly network: Network;
    readonly budget: BrandBudget;
  },
): Promise<AdmittedHomes> {
  const fitting: LoadedHome[] = [];
  const misfits: LoadedHome[] = [];
  const rejections: Rejection[] = [];
  let total = offer.total;
  await inTurns(homes, HOMES_A_TURN, (home) => {
    const known = offer.listing(home.id);
    const totalWithIt = {
      listings: total.listings + (known ? 0 : 1),
      bytes: total.bytes + home.weight - (known?.weight ?? 0),
    };
    const reason = misfitOf(home, network) ?? beyondBudget(totalWithIt, budget);
    if (reason) {
      misfits.push(home);
      rejections.push({ reference: home.reference, ...reason });
    } else {
      fitting.push(home);
      total = totalWithIt;
    }
  });
  return { fitting, misfits, rejections };
}
