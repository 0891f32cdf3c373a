import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId, Network } from '../catalogue/catalogue.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import type { Clock } from '../clock.ts';
import type { BudgetUse } from '../limits/booking-system-failure.ts';
import type { BreakerState } from '../limits/circuit-breaker.ts';
import type { BrandControls } from './brand-controls.ts';
import { readRejections, type StoredRejections } from './brand-documents.ts';
import type { BrandStatus } from './sync-observer.ts';
import type { Synchroniser } from './synchroniser.ts';

export type OperatorControls = ReturnType<typeof createOperatorControls>;

export class UnknownBrand extends Error {
  constructor(brand: BrandId) {
    super(`There is no brand ${brand} on this network.`);
    this.name = 'UnknownBrand';
  }
}

/** Shows the owner the state of operators, and applies the owner's decisions on all nodes. Rejects with `UnknownBrand`, or while the store is unreachable. */
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
  readonly synchroniser: Pick<Synchroniser, 'status' | 'readControls'>;
  readonly store: Pick<InventoryStore, 'document'>;
  /** The kind of its booking system. */
  readonly systemOf: (brand: BrandId) => string;
  readonly breakerOf: (brand: BrandId) => BreakerState;
  readonly budgetOf: (brand: BrandId) => BudgetUse | null;
  readonly clock: Pick<Clock, 'now'>;
}) {
  async function rejectionsOf({ brand, rejections, notListed }: BrandStatus) {
    // After a start this node knows fewer rejections than the store: use them only while the store cannot be read.
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
    // Apply it here immediately; the other nodes apply it when they next read the decisions.
    await synchroniser.readControls();
    return outcome;
  }

  async function setPaused(brand: BrandId, isPaused: boolean): Promise<boolean> {
    // From the store: this node's own copy may be a second old.
    const known = (await controls.all()).find((control) => control.brand === brand);
    await controls.setPaused(brand, isPaused, clock.now());
    return isPaused !== ((known?.pausedAt ?? null) !== null);
  }

  return {
    health: (): Promise<readonly OperatorHealth[]> => Promise.all(synchroniser.status().map(healthOf)),
    /** Once it resolves, no search of this node finds a home of the brand; other nodes follow within about a second. Resolves with false when it was paused already. */
    pause: (brand: BrandId) => decide(brand, () => setPaused(brand, true)),
    /** Reloads its homes in the background. Resolves with false when it was not paused. */
    resume: (brand: BrandId) => decide(brand, () => setPaused(brand, false)),
    /** The node that leads the brand begins a full reading: this one immediately, another within about a second. */
    readNow: (brand: BrandId) => decide(brand, () => controls.requestReading(brand, clock.now())),
  };
}

/** A page for people; the command `held-back` lists more. */
const MAX_LISTED = 500;

/** Rejected homes before repaired fields, because the operator should correct those first. */
function listRejections({
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

/** The state of a brand's booking system as a node sees it now. Members are null where it is unknown, such as in a command beside the service. */
export type OperatorHealth = {
  readonly brand: BrandId;
  readonly name: string;
  /** The kind of booking system. */
  readonly system: string;
  /** In epoch milliseconds; null when it was never read completely. */
  readonly lastReadAt: number | null;
  /** Why the last reading failed; null when it succeeded. */
  readonly lastFailure: string | null;
  /** Which limit it exceeds, and how to raise it; null or absent for any other failure. */
  readonly lastFailureMessage?: string | null;
  readonly homes: number | null;
  readonly oldestCalendarMs: number | null;
  readonly calendarsWaiting: number | null;
  readonly breaker: 'closed' | 'half_open' | 'open' | null;
  /** When the owner paused it. */
  readonly pausedAt: number | null;
  /** Its request budget and how much of it is used; null where it has no such limit. */
  readonly budget: { readonly used: number; readonly of: number; readonly perSeconds: number } | null;
  readonly rejections: readonly RejectedListing[];
  /** How many rejections `rejections` does not list. */
  readonly unlistedRejections: number;
};

type RejectedListing = {
  readonly reference: string;
  readonly field: string;
  readonly rule: string;
  readonly value: string | null;
  readonly remedy: string;
  readonly isRepaired: boolean;
};
