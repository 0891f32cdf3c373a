import { startBeds24 } from '../emulators/beds24.ts';
import { startBookingsync } from '../emulators/bookingsync.ts';
import type { Emulator, EmulatorOptions } from '../emulators/emulator.ts';
import type { EmulatedRequest } from '../emulators/exchange.ts';
import { startGuesty } from '../emulators/guesty.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { startQloapps } from '../emulators/qloapps.ts';
import type { VagueVerdicts } from './restricted-stays.ts';

/** A connector beside the emulator of its vendor. Neither was written from the other. */
export type EmulatedVendorSystem<Options extends EmulatorOptions = EmulatorOptions> = {
  readonly kind: string;
  /** As people call it. */
  readonly name: string;
  readonly start: (options: Options) => Promise<Emulator>;
  /** What the vendor lets us say of a stay where that is not the true reason of its refusal. */
  readonly vagueVerdicts?: VagueVerdicts;
  /** What its entry in the network file has to say besides. */
  readonly entryOn?: (emulator: Pick<Emulator, 'websiteHost'>) => Readonly<Record<string, string>>;
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
  /** What else it says of a home; nothing may be made up of the rest. */
  readonly tells: readonly ('deposit' | 'rating' | 'night prices')[];
  /** Whether its calendar may offer what its price refuses, because it says nothing of the length of a stay. */
  readonly isCalendarLooser?: boolean;
};

export const VENDORS: readonly EmulatedVendorSystem[] = [
  {
    kind: 'bookingsync',
    name: 'BookingSync',
    start: startBookingsync,
    // It leaves out what it refuses, without a reason.
    vagueVerdicts: {
      booked: 'not_offered',
      minimum_stay: 'not_offered',
      maximum_stay: 'not_offered',
      closed_to_arrival: 'not_offered',
      closed_to_departure: 'not_offered',
    },
    hasTokens: true,
    hasPassingAuthorization: true,
    countsReviews: true,
    hasLines: true,
    tells: ['deposit', 'rating', 'night prices'],
  },
  {
    kind: 'lodgify',
    name: 'Lodgify',
    start: startLodgify,
    // It has no code for a stay that is too long.
    vagueVerdicts: { maximum_stay: 'not_offered' },
    hasTokens: false,
    asksForEachHome: true,
    // The old version of its API has limits of its own.
    isLimited: ({ path }) => path.startsWith('/v2/'),
    isSilentOnPauses: true,
    hasLines: true,
    tells: ['deposit', 'night prices'],
  },
  {
    kind: 'guesty',
    name: 'Guesty',
    start: startGuesty,
    // Its calendar is blocked on such days.
    vagueVerdicts: { closed_to_arrival: 'booked', closed_to_departure: 'booked' },
    hasTokens: true,
    asksForEachHome: true,
    countsReviews: true,
    hasLines: true,
    tells: ['rating'],
  },
  {
    kind: 'hostaway',
    name: 'Hostaway',
    start: startHostaway,
    hasTokens: true,
    tokenWaitMs: 1100,
    asksForEachHome: true,
    hasLines: true,
    tells: ['deposit', 'rating', 'night prices'],
  },
  {
    kind: 'beds24',
    name: 'Beds24',
    entryOn: ({ websiteHost }) => ({ picture_url: `http://${websiteHost}/rooms/{reference}.jpg` }),
    start: startBeds24,
    hasTokens: true,
    // An offer is one price.
    hasLines: false,
    tells: ['deposit', 'night prices'],
  },
  {
    kind: 'qloapps',
    name: 'QloApps',
    start: startQloapps,
    // Its nights say nothing of the length of a stay, and nobody is kept from arriving or departing.
    isCalendarLooser: true,
    vagueVerdicts: {
      minimum_stay: 'not_offered',
      maximum_stay: 'not_offered',
      closed_to_arrival: 'quoted',
      closed_to_departure: 'quoted',
    },
    hasTokens: false,
    hasLines: true,
    tells: ['night prices'],
  },
];

export function vendorOf(kind: string): EmulatedVendorSystem {
  const vendor = VENDORS.find((one) => one.kind === kind);
  if (!vendor) throw new RangeError(`there is no vendor ${kind}`);
  return vendor;
}
