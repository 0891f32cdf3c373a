import { propertyStayLink } from '../answers/stay-link.ts';
import type { Clock } from '../clock.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Brand, Property } from '../inventory/catalogue.ts';
import {
  type BookingSystem,
  BookingSystemFailure,
  type FailureKind,
  type QuoteOutcome,
} from '../quotes/booking-system.ts';
import { breakdownFault } from '../quotes/reconcile.ts';
import { formatDay } from '../stay/day.ts';
import { formatAmount } from '../stay/money.ts';
import type { BrandVerdict } from './verdict.ts';

/** Enough to meet a home with a free stay, and gentle on its operator. */
const SAMPLE = 5;
const HORIZON_NIGHTS = 120;
const FIRST_ARRIVAL = 14;
const MAX_NIGHTS = 14;
const MS_PER_DAY = 86_400_000;
/** A search waits for eight seconds in all, so an operator that takes this long has few of its homes in a result. */
const SLOW_QUOTE_MS = 4000;

const ADVICE: Readonly<Partial<Record<FailureKind, string>>> = {
  rejected: 'the credentials are wrong, or do not allow this: look them up again and run `staywire connect`',
  rate_limited: 'the account has used up its limit; wait, and try again',
  timeout: 'the server is too slow or does not answer; try again, or ask the operator',
  unreachable: 'look at the address, and whether this machine may reach it',
  server_error: 'the booking system has a fault; try again, or ask its vendor',
  garbled: 'the answer is not what its vendor documents: look at the address and the version',
  too_large: 'the brand is larger than its budget; raise `budget` in the network file',
};

export type OpenPage = (address: string, signal: AbortSignal) => Promise<{ readonly status: number }>;

/** Tries everything that a search needs of a brand: once, with a few homes. */
export async function checkBrand({
  system,
  brand,
  openPage,
  clock,
  signal,
}: {
  readonly system: BookingSystem;
  readonly brand: Brand;
  readonly openPage: OpenPage;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<readonly BrandVerdict[]> {
  const verdicts: BrandVerdict[] = [];
  const add = (verdict: BrandVerdict) => void verdicts.push(verdict);
  const skip = (found: string, ...checks: readonly string[]) => {
    for (const check of checks) add({ check, verdict: 'skipped', found, advice: null, milliseconds: null });
    return verdicts;
  };

  const catalogue = await timed(clock, () => system.catalogue(signal));
  if (catalogue.kind === 'failed') {
    add(failedCheck('credentials', catalogue));
    return skip('without a catalogue', 'listings', 'calendar', 'price', 'link');
  }
  const { properties, heldBack, notListed = 0 } = catalogue.value;
  add({
    check: 'credentials',
    verdict: 'passed',
    found: 'the booking system answers',
    advice: null,
    milliseconds: catalogue.milliseconds,
  });
  const refused = heldBack.filter(({ repaired }) => !repaired).length + notListed;
  const isEmpty = properties.length === 0;
  add({
    check: 'listings',
    verdict: isEmpty ? 'failed' : refused > 0 ? 'warning' : 'passed',
    found: `${properties.length} on offer, ${refused} held back, ${heldBack.length - (refused - notListed)} shown without a part`,
    advice: refused > 0 || isEmpty ? `staywire held-back ${brand.id} says why, after a sync` : null,
    milliseconds: null,
  });
  if (isEmpty) return skip('without a listing', 'calendar', 'price', 'link');

  const today = Math.floor(clock.now() / MS_PER_DAY);
  const sample = spread(properties, SAMPLE);
  const references = sample.map(({ reference }) => reference);
  const horizon = { from: today - 1, nights: HORIZON_NIGHTS };
  const calendars = await timed(clock, () => system.calendars(references, horizon, signal));
  if (calendars.kind === 'failed') {
    add(failedCheck('calendar', calendars));
    return skip('without a calendar', 'price', 'link');
  }
  const read = sample.flatMap((property) => {
    const reading = calendars.value.get(property.reference);
    return reading?.kind === 'valid' ? [{ property, calendar: reading.value }] : [];
  });
  const free = read.map(({ calendar }) => calendar.available.reduce((sum, night) => sum + night, 0));
  add({
    check: 'calendar',
    verdict: read.length === sample.length ? 'passed' : read.length > 0 ? 'warning' : 'failed',
    found: `${read.length} of ${sample.length} read; ${Math.max(0, ...free)} of ${HORIZON_NIGHTS} nights free in the freest`,
    advice: read.length === sample.length ? null : `staywire held-back ${brand.id} says why, after a sync`,
    milliseconds: calendars.milliseconds,
  });

  const stay = read
    .map(({ property, calendar }) => freeStay(property, calendar))
    .find((one) => one !== undefined);
  if (!stay) return skip('no free stay among the homes that were tried', 'price', 'link');
  const { property, checkIn, checkOut, guests } = stay;
  const quoting = await timed(clock, () =>
    system.quote(
      { references: [property.reference], checkIn, checkOut, guests, currency: property.currency },
      signal,
    ),
  );
  const what = `${property.reference}, ${formatDay(checkIn)} to ${formatDay(checkOut)}, ${guests} guests`;
  const outcome = quoting.kind === 'done' ? quoting.value[0] : undefined;
  add(priceVerdict(outcome, what, quoting.milliseconds));

  const address = propertyStayLink(property, brand, {
    place: property.place,
    checkIn,
    checkOut,
    guests,
  } as Parameters<typeof propertyStayLink>[2]);
  const page = await timed(clock, () => openPage(address, signal));
  const status = page.kind === 'done' ? page.value.status : null;
  add({
    check: 'link',
    verdict: status !== null && status < 400 ? 'passed' : 'warning',
    found: `${address} ${status === null ? 'cannot be opened from here' : `answers with ${status}`}`,
    advice:
      status !== null && status < 400
        ? null
        : 'open it in a browser; mend website.stay_url or page_pattern in the network file',
    milliseconds: page.milliseconds,
  });
  return verdicts;
}

function priceVerdict(outcome: QuoteOutcome | undefined, what: string, milliseconds: number): BrandVerdict {
  const verdict = { check: 'price', milliseconds };
  if (outcome?.kind === 'quoted') {
    const { total, currency, lines } = outcome.quote;
    const fault = breakdownFault(lines, total);
    const isSlow = milliseconds > SLOW_QUOTE_MS;
    return {
      ...verdict,
      verdict: isSlow || fault ? 'warning' : 'passed',
      found: `${formatAmount(total, currency)} ${currency} in ${lines.length} lines for ${what}`,
      advice: isSlow
        ? 'a search may not wait for it'
        : fault
          ? 'its lines do not add up and are not shown'
          : null,
    };
  }
  if (outcome?.kind === 'unavailable') {
    const advice =
      'its calendar offers what its prices refuse; try again, and tell the operator if it stays so';
    return { ...verdict, verdict: 'warning', found: `refused as ${outcome.reason}: ${what}`, advice };
  }
  const failure = outcome?.failure ?? 'garbled';
  return { ...verdict, verdict: 'failed', found: `${failure}: ${what}`, advice: ADVICE[failure] ?? null };
}

type Timed<T> =
  | { readonly kind: 'done'; readonly value: T; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly failure: unknown; readonly milliseconds: number };

async function timed<T>(clock: Clock, work: () => Promise<T>): Promise<Timed<T>> {
  const from = clock.elapsed();
  try {
    return { kind: 'done', value: await work(), milliseconds: clock.elapsed() - from };
  } catch (failure) {
    return { kind: 'failed', failure, milliseconds: clock.elapsed() - from };
  }
}

function failedCheck(
  check: string,
  { failure, milliseconds }: Timed<unknown> & { kind: 'failed' },
): BrandVerdict {
  const kind = failure instanceof BookingSystemFailure ? failure.kind : 'garbled';
  const found = failure instanceof Error ? failure.message : String(failure);
  return { check, verdict: 'failed', found: `${kind}: ${found}`, advice: ADVICE[kind] ?? null, milliseconds };
}

/** From the whole catalogue, not from its beginning: the first homes may be alike. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

function freeStay(
  property: Property,
  { firstDay, available, minimumStay, maximumStay, closedToArrival, closedToDeparture }: Calendar,
) {
  for (let arrival = FIRST_ARRIVAL + 1; arrival < available.length - MAX_NIGHTS; arrival += 1) {
    const nights = Math.max(2, minimumStay[arrival] ?? 1);
    const longest = maximumStay[arrival] || MAX_NIGHTS;
    if (closedToArrival[arrival] === 1 || nights > Math.min(longest, MAX_NIGHTS)) continue;
    if (closedToDeparture[arrival + nights] === 1) continue;
    if (!available.subarray(arrival, arrival + nights).every((night) => night === 1)) continue;
    const checkIn = firstDay + arrival;
    return { property, checkIn, checkOut: checkIn + nights, guests: Math.min(2, property.maxGuests) };
  }
  return undefined;
}
