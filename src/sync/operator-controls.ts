import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId, Network } from '../catalogue/catalogue.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import type { Clock } from '../clock.ts';
import type { BudgetUse } from '../limits/booking-system-failure.ts';
import type { BreakerState } from '../quotes/circuit-breaker.ts';
import type { BrandControls } from './brand-controls.ts';
import type { BrandStatus } from './brand-status.ts';
import type { OperatorHealth } from './operator-health.ts';
import { readRejections, type StoredRejections } from './rejections-store.ts';
import type { Synchroniser } from './synchroniser.ts';

/** What the owner sees of operators, and decides about them for all nodes. Rejects with `UnknownBrand`, or where nothing can be decided because the store is away. */
export type OperatorControls = {
  health(): Promise<readonly OperatorHealth[]>;
  /** When it resolves, no search of this node finds a home of the brand; on other nodes within about a second. With false when it was paused already. */
  pause(brand: BrandId): Promise<boolean>;
  /** Its homes come back in the background. Resolves with false when it was not paused. */
  resume(brand: BrandId): Promise<boolean>;
  /** The node that leads the brand begins to read all of it: this one at once, another within about a second. */
  readNow(brand: BrandId): Promise<void>;
};

export class UnknownBrand extends Error {
  constructor(brand: BrandId) {
    super(`There is no brand ${brand} on this network.`);
    this.name = 'UnknownBrand';
  }
}

export function createOperatorControls({
  network,
  controls,
  synchroniser,
  store,
  systemOf,
  breakerOf,
  budgetOf,
  clock,
}: {
  readonly network: Pick<Network, 'brands'>;
  readonly controls: BrandControls;
  readonly synchroniser: Pick<Synchroniser, 'status' | 'lookAtControls'>;
  readonly store: Pick<InventoryStore, 'document'>;
  /** The kind of its booking system. */
  readonly systemOf: (brand: BrandId) => string;
  readonly breakerOf: (brand: BrandId) => BreakerState;
  readonly budgetOf: (brand: BrandId) => BudgetUse | null;
  readonly clock: Pick<Clock, 'now'>;
}): OperatorControls {
  async function rejectionsOf({ brand, rejections, notListed }: BrandStatus) {
    // What this node knows itself is less after a start, and enough while the store cannot be read.
    const stored = await readRejections(store, brand).catch(() => undefined);
    return listRejections(stored ?? { rejections, notListed });
  }

  async function healthOf(status: BrandStatus): Promise<OperatorHealth> {
    const { brand, lastFailure } = status;
    return {
      brand,
      name: network.brands.get(brand)?.name ?? brand,
      system: systemOf(brand),
      lastReadAt: status.lastSuccessAt,
      lastFailure: lastFailure?.kind ?? null,
      lastFailureMessage: lastFailure?.message ?? null,
      homes: status.properties,
      oldestCalendarMs: status.oldestCalendarMs,
      calendarsWaiting: status.calendarsWaiting,
      breaker: breakerOf(brand),
      pausedAt: status.pausedAt,
      budget: budgetOf(brand),
      ...(await rejectionsOf(status)),
    };
  }

  async function decide<Outcome>(brand: BrandId, decision: () => Promise<Outcome>): Promise<Outcome> {
    if (!network.brands.has(brand)) throw new UnknownBrand(brand);
    const outcome = await decision();
    // What was decided here counts here at once, as on the others after their next look.
    await synchroniser.lookAtControls();
    return outcome;
  }

  async function setPaused(brand: BrandId, isPaused: boolean): Promise<boolean> {
    // From the store: what this node has seen may be a second old.
    const known = (await controls.all()).find((control) => control.brand === brand);
    await controls.setPaused(brand, isPaused, clock.now());
    return isPaused !== ((known?.pausedAt ?? null) !== null);
  }

  return {
    health: () => Promise.all(synchroniser.status().map(healthOf)),
    pause: (brand) => decide(brand, () => setPaused(brand, true)),
    resume: (brand) => decide(brand, () => setPaused(brand, false)),
    readNow: (brand) => decide(brand, () => controls.requestReading(brand, clock.now())),
  };
}

/** A page for people; the command `held-back` lists more. */
const MAX_LISTED = 500;

/** What costs a home first, because it is the first thing to mend. */
export function listRejections({
  rejections,
  notListed,
}: Pick<StoredRejections, 'rejections' | 'notListed'>): Pick<
  OperatorHealth,
  'rejections' | 'unlistedRejections'
> {
  const [refused, repaired] = [true, false].map((isRefused) =>
    rejections.filter((one) => isRefused !== (one.repaired ?? false)),
  );
  const listed = [...(refused ?? []), ...(repaired ?? [])].slice(0, MAX_LISTED);
  return {
    rejections: listed.map(({ reference, field, rule, value, repaired: isRepaired = false }) => ({
      reference,
      field: field === '' ? 'listing' : field,
      rule,
      value: value ?? null,
      remedy: REJECTION_RULES[rule].remedy,
      isRepaired,
    })),
    unlistedRejections: rejections.length - listed.length + notListed,
  };
}
