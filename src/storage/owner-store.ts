import type { OwnerSettings } from '../access/owner-settings.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { BrandControls } from '../sync/brand-controls.ts';

/** What the owner of the network sees and decides; apart from what requests of assistants need. */
export type OwnerStore = {
  readonly activity: ActivityStore;
  readonly controls: BrandControls;
  readonly outcomes: BookingOutcomes;
  readonly owner: OwnerSettings;
};

/** For a command, beside a service that may be running. */
export type OpenedOwnerStore = OwnerStore & {
  readonly ledger: Pick<QuoteLedger, 'findQuotes'>;
  close(): Promise<void>;
};
