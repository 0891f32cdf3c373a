import type { FuzzTarget } from './fuzz-target.ts';
import { beds24AndQloapps } from './targets/beds24-and-qloapps.ts';
import { bodies } from './targets/bodies.ts';
import { bookings } from './targets/bookings.ts';
import { vendorAnswers } from './targets/bookingsync-and-lodgify.ts';
import { calendars } from './targets/calendars.ts';
import { catalogues } from './targets/catalogues.ts';
import { feeds } from './targets/feeds.ts';
import { guestyAndHostaway } from './targets/guesty-and-hostaway.ts';
import { headers } from './targets/headers.ts';
import { imports } from './targets/imports.ts';
import { networks } from './targets/networks.ts';
import { operations } from './targets/operations.ts';
import { published } from './targets/published.ts';
import { queries } from './targets/queries.ts';
import { quotes } from './targets/quotes.ts';
import { rateCards } from './targets/rate-cards.ts';
import { services } from './targets/services.ts';
import { signatures } from './targets/signatures.ts';
import { sockets } from './targets/sockets.ts';

export const TARGETS: readonly FuzzTarget[] = [
  bodies,
  queries,
  headers,
  signatures,
  sockets,
  operations,
  catalogues,
  calendars,
  quotes,
  bookings,
  vendorAnswers,
  rateCards,
  imports,
  feeds,
  guestyAndHostaway,
  beds24AndQloapps,
  networks,
  published,
  services,
];

/** How many of the inputs of a whole run each target gets. */
export function shareOf(target: FuzzTarget, inputs: number): number {
  const weights = TARGETS.reduce((sum, { weight }) => sum + weight, 0);
  return Math.ceil((inputs * target.weight) / weights);
}
