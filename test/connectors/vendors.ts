import type { UnavailableReason } from '../../src/quotes/booking-system.ts';
import { startBeds24 } from '../emulators/beds24.ts';
import { startBookingsync } from '../emulators/bookingsync.ts';
import type { Emulator, EmulatorOptions } from '../emulators/emulator.ts';
import type { EmulatedRequest } from '../emulators/exchange.ts';
import { startGuesty } from '../emulators/guesty.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { startQloapps } from '../emulators/qloapps.ts';

/** A connector beside the emulator of its vendor. Neither was written from the other. */
export type EmulatedVendorSystem = {
  readonly kind: string;
  /** As people call it. */
  readonly name: string;
  readonly start: (options: EmulatorOptions) => Promise<Emulator>;
  /** What the vendor lets us say about nights that are taken. */
  readonly takenReason: UnavailableReason;
  /** Whether it hands out tokens that end. */
  readonly hasTokens: boolean;
  /** For how long a new token is left alone; tests do not wait for it. */
  readonly tokenWaitMs?: number;
  /** Whether each token comes with what the next one is asked for with, and ends what the last was asked for with. */
  readonly hasPassingAuthorization?: boolean;
  /** Whether the calendar of each home takes a call of its own, in which the home is named. */
  readonly asksForEachHome?: boolean;
  /** Which requests the limits of the entry are about; left out: all that the vendor counts. */
  readonly isLimited?: (request: EmulatedRequest) => boolean;
  /** Whether a request too many is answered without a word on when to come again. */
  readonly isSilentOnPauses?: boolean;
  /** Whether it says how many have reviewed a home, and so tells one that nobody has rated from one of which it says nothing. */
  readonly countsReviews?: boolean;
  /** Whether a price comes with its lines. */
  readonly hasLines: boolean;
  readonly isCalendarLooser?: boolean;
};

export const VENDORS: readonly EmulatedVendorSystem[] = [
  {
    kind: 'bookingsync',
    name: 'BookingSync',
    start: startBookingsync,
    // It leaves out what it refuses, without a reason.
    takenReason: 'not_offered',
    hasTokens: true,
    hasPassingAuthorization: true,
    countsReviews: true,
    hasLines: true,
  },
  {
    kind: 'lodgify',
    name: 'Lodgify',
    start: startLodgify,
    takenReason: 'booked',
    hasTokens: false,
    asksForEachHome: true,
    // The old version of its API has limits of its own.
    isLimited: ({ path }) => path.startsWith('/v2/'),
    isSilentOnPauses: true,
    hasLines: true,
  },
  {
    kind: 'guesty',
    name: 'Guesty',
    start: startGuesty,
    takenReason: 'booked',
    hasTokens: true,
    asksForEachHome: true,
    countsReviews: true,
    hasLines: true,
  },
  {
    kind: 'hostaway',
    name: 'Hostaway',
    start: startHostaway,
    takenReason: 'booked',
    hasTokens: true,
    tokenWaitMs: 1100,
    asksForEachHome: true,
    hasLines: true,
  },
  {
    kind: 'beds24',
    name: 'Beds24',
    start: startBeds24,
    takenReason: 'booked',
    hasTokens: true,
    // An offer is one price.
    hasLines: false,
  },
  {
    kind: 'qloapps',
    name: 'QloApps',
    start: startQloapps,
    takenReason: 'booked',
    // Its nights say nothing of a minimum stay.
    isCalendarLooser: true,
    hasTokens: false,
    hasLines: true,
  },
];
