import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, Network, Property } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OpenClient } from '../outbound/http-client.ts';
import type { BookingSystem, QuoteOutcome } from '../quotes/booking-system.ts';
import { breakdownFault } from '../quotes/judge-answer.ts';
import { propertyStayLink } from '../search/answers/stay-link.ts';
import { formatDay, MS_PER_DAY } from '../stay/day.ts';
import { formatAmount } from '../stay/money.ts';
import { admitListings } from '../sync/admission.ts';
import type { StoredRejections } from '../sync/brand-documents.ts';
import { rejectedCalendar } from '../sync/read-calendars.ts';
import { adviceFor } from './faults.ts';
import { counted, type Terminal, type TextStyle, table } from './terminal.ts';

/** Homes to try: enough to find a free stay, and few requests for the operator. */
const SAMPLE = 5;
const HORIZON_NIGHTS = 120;
const FIRST_ARRIVAL = 14;
const MAX_NIGHTS = 14;
/** A search waits eight seconds in all: with slower prices than this few of the operator's homes reach the result. */
const SLOW_QUOTE_MS = 4000;

const SEE_BELOW = 'the list below says why, and what to do';

/** The result of one check. */
type BrandVerdict = {
  /** `credentials`, `calendar`, … */
  readonly check: string;
  readonly verdict: 'passed' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly advice: string | null;
  readonly milliseconds: number | null;
};

type OpenPage = (address: string, signal: AbortSignal) => Promise<{ readonly status: number }>;

export type BrandCheck = {
  readonly verdicts: readonly BrandVerdict[];
  /** Rejected listings and dropped fields, as a synchronisation would report them; null when there was no catalogue. */
  readonly rejections: StoredRejections | null;
};

/** Tries once, with a few homes, everything that a search needs of a brand. */
export async function checkBrand({
  system,
  network,
  openPage,
  clock,
  signal,
}: {
  readonly system: BookingSystem;
  readonly network: Network;
  readonly openPage: OpenPage;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<BrandCheck> {
  const verdicts: BrandVerdict[] = [];
  let rejections: StoredRejections | null = null;
  const brand = brandOf(network, system.brand);
  const add = (verdict: BrandVerdict) => void verdicts.push(verdict);
  const skip = (found: string, ...checks: readonly string[]): BrandCheck => {
    for (const check of checks) add({ check, verdict: 'skipped', found, advice: null, milliseconds: null });
    return { verdicts, rejections };
  };

  const catalogue = await timed(clock, () => system.catalogue(signal));
  if (catalogue.kind === 'failed') {
    add(failedCheck('credentials', catalogue));
    return skip('without a catalogue', 'listings', 'calendar', 'price', 'link');
  }
  add({
    check: 'credentials',
    verdict: 'passed',
    found: 'the booking system answers',
    advice: null,
    milliseconds: catalogue.milliseconds,
  });
  const { admitted, report } = await admitListings(catalogue.value, system.brand, network);
  const properties = [...admitted.values()];
  const reportSoFar = (): StoredRejections => ({
    readAt: Math.floor(clock.now()),
    admitted: properties.length,
    ...report.all(),
    unmappedAmenities: catalogue.value.unmappedAmenities ?? [],
  });
  rejections = reportSoFar();
  const repaired = rejections.rejections.filter((one) => one.repaired).length;
  const refused = rejections.rejections.length - repaired + rejections.notListed;
  const isEmpty = properties.length === 0;
  add({
    check: 'listings',
    verdict: isEmpty ? 'failed' : refused > 0 ? 'warning' : 'passed',
    found: `${properties.length} on offer, ${refused} held back, ${counted(repaired, 'part')} left out`,
    advice: refused > 0 ? SEE_BELOW : isEmpty ? 'list homes in this account, or connect another' : null,
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
    if (reading?.kind === 'valid') return [{ property, calendar: reading.value }];
    report.add([{ reference: property.reference, ...rejectedCalendar(reading?.faults ?? []) }]);
    return [];
  });
  rejections = reportSoFar();
  const free = read.map(({ calendar }) => calendar.available.reduce((sum, night) => sum + night, 0));
  add({
    check: 'calendar',
    verdict: read.length === sample.length ? 'passed' : read.length > 0 ? 'warning' : 'failed',
    found: `${read.length} of ${sample.length} read; ${Math.max(0, ...free)} of ${HORIZON_NIGHTS} nights free in the freest`,
    advice: read.length === sample.length ? null : SEE_BELOW,
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
  const nights = counted(checkOut - checkIn, 'night');
  const what = `${property.reference}, ${formatDay(checkIn)}, ${nights}, ${counted(guests, 'guest')}`;
  const outcome = quoting.kind === 'done' ? quoting.value[0] : undefined;
  add(priceVerdict(outcome, what, quoting.milliseconds));

  const criteria = { ...ANY_STAY, place: property.place, checkIn, checkOut, guests };
  const address = propertyStayLink(property, brand, criteria);
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
  return { verdicts, rejections };
}

function brandOf({ brands }: Network, id: BrandId) {
  const brand = brands.get(id);
  if (!brand) throw new Error(`there is no brand ${id}`);
  return brand;
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
      found: `${formatAmount(total, currency)} ${currency}${lines.length === 0 ? ' without lines' : ''}: ${what}`,
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
  return { ...verdict, verdict: 'failed', found: `${failure}: ${what}`, advice: adviceFor(failure) };
}

type Timed<T> =
  | { readonly kind: 'done'; readonly value: T; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly failure: unknown; readonly milliseconds: number };

async function timed<T>(clock: Clock, work: () => Promise<T>): Promise<Timed<T>> {
  const from = clock.elapsed();
  const milliseconds = () => Math.round(clock.elapsed() - from);
  try {
    return { kind: 'done', value: await work(), milliseconds: milliseconds() };
  } catch (failure) {
    return { kind: 'failed', failure, milliseconds: milliseconds() };
  }
}

function failedCheck(
  check: string,
  { failure, milliseconds }: Timed<unknown> & { kind: 'failed' },
): BrandVerdict {
  const kind = failure instanceof BookingSystemFailure ? failure.kind : 'garbled';
  const found = failure instanceof Error ? failure.message : String(failure);
  return { check, verdict: 'failed', found: `${kind}: ${found}`, advice: adviceFor(kind), milliseconds };
}

/** Takes the sample from the whole catalogue: the first homes may be alike. */
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

const MARKS = {
  passed: ['✔', 'good'],
  warning: ['!', 'warning'],
  failed: ['✖', 'bad'],
  skipped: ['-', 'faint'],
} as const satisfies Record<BrandVerdict['verdict'], readonly [string, TextStyle]>;

export function verdictMark(verdict: BrandVerdict['verdict'], { styled }: Pick<Terminal, 'styled'>): string {
  const [mark, style] = MARKS[verdict];
  return styled(style, mark);
}

export function verdictTable(verdicts: readonly BrandVerdict[], terminal: Pick<Terminal, 'styled'>): string {
  return table(
    verdicts.map(({ check, verdict, found, advice, milliseconds }) => {
      const time = milliseconds === null ? '' : `${Math.round(milliseconds)} ms`;
      return [verdictMark(verdict, terminal), check, time, advice === null ? found : `${found}\n→ ${advice}`];
    }),
  );
}

export function hasFailed(verdicts: readonly BrandVerdict[]): boolean {
  return verdicts.some(({ verdict }) => verdict === 'failed');
}

const PAGE_TIMEOUT_MS = 8000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Opens a page of an operator's website through the guarded client and returns its status. */
export function createOpenPage(openClient: OpenClient): OpenPage {
  return async (address, signal) => {
    const { origin, pathname, search } = new URL(address);
    const client = openClient({ baseUrl: origin, connections: 1 });
    let status = 0;
    try {
      await client.send(
        {
          method: 'GET',
          path: pathname + search,
          type: 'page',
          onAnswer: (code) => {
            status = code;
          },
        },
        { timeoutMs: PAGE_TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES, signal },
      );
    } catch (failure) {
      // A redirect or an error page is an answer too.
      if (status === 0 || !(failure instanceof BookingSystemFailure)) throw failure;
    } finally {
      await client.close();
    }
    return { status };
  };
}
