import type { Calendar } from '../../catalogue/calendar.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { BreakdownFault } from '../../quotes/booking-system.ts';
import { isMostlyPaidElsewhere } from '../../quotes/judge-answer.ts';
import { type Day, formatDay, MS_PER_DAY } from '../../stay/day.ts';
import { formatAmount, type MinorUnits } from '../../stay/money.ts';
import { type CallServer, UNKNOWN_PROPERTY } from './call-server.ts';
import { exampleAt } from './every-fault.ts';
import {
  type Ask,
  createAsk,
  explainFailure,
  mustBe,
  mustBeRefused,
  reportQuotes,
  type SampleStay,
} from './expect-quotes.ts';
import type { ProtocolRule, VerdictCollector } from './verdict.ts';

const MAX_SAMPLES = 5;
const MAX_BATCH = 20;
/** A longer hold is a mistake, such as a wrong unit. */
const MAX_HOLD_MS = 366 * MS_PER_DAY;
const MAX_USUAL_HOLD_MS = 30 * MS_PER_DAY;
/** Calendar prices are indicative, but should not differ by more than this factor. */
const MAX_TIMES_CALENDAR = 10;

type Sample = { readonly home: Property; readonly calendar: Calendar };
type FreeSample = Sample & { readonly stay: SampleStay };

/** Requests prices of a few homes, for stays that the calendar offers and stays that the server must refuse. */
export async function checkQuotes(
  server: CallServer,
  collector: VerdictCollector,
  samples: readonly Sample[],
  { clock, earliest }: { readonly clock: Clock; readonly earliest: Day },
): Promise<void> {
  const ask = createAsk(server, collector, clock);
  const free = samples
    .flatMap((sample): FreeSample[] => {
      const stay = firstFreeStay(sample.calendar, earliest + sample.home.leadDays);
      return stay ? [{ ...sample, stay }] : [];
    })
    .slice(0, MAX_SAMPLES);
  if (samples.length === 0) return;
  if (free.length === 0) collector.skip('quotes_free_stay', 'no calendar offers a stay');

  const totals = new Map<string, MinorUnits>();
  for (const sample of free) {
    const total = await checkFreeStay(ask, collector, sample, clock);
    if (total !== undefined) totals.set(sample.home.reference, total);
  }
  collector.passed('quotes_free_stay', `${totals.size} prices`);
  const [first] = free;
  await checkTakenStays(ask, collector, samples, earliest);
  if (!first) return;
  await checkGuests(ask, collector, first);
  await checkUnknownProperty(ask, collector, first);
  await checkRepeated(ask, collector, first, totals);
  await checkBatch(ask, collector, first, { samples, totals });
  await checkUnknownMember(ask, collector, first, totals);
}

/** Returns the total; undefined without a price. */
async function checkFreeStay(
  ask: Ask,
  collector: VerdictCollector,
  { home, calendar, stay }: FreeSample,
  clock: Clock,
): Promise<MinorUnits | undefined> {
  const check = 'quotes_free_stay';
  const { reference, currency } = home;
  const answer = await ask(check, { references: [reference], stay, guests: guestsOf(home), currency });
  const verdict = answer?.verdicts.get(reference);
  if (!answer || !verdict) return undefined;
  const { quotes, milliseconds } = answer;
  const report = (rule: ProtocolRule, field: string, found: string, isWarning = false) =>
    reportQuotes(collector, check, rule, { place: `${reference} ${field}`, found, milliseconds, isWarning });
  if (verdict.kind === 'unavailable') {
    report(
      'free_stay_refused',
      '',
      `${verdict.reason} for ${formatDay(stay.checkIn)} to ${formatDay(stay.checkOut)}`,
    );
    return undefined;
  }
  if (verdict.kind === 'failed') {
    explainFailure(collector, check, { answer, reference, currency, failure: verdict.failure });
    return undefined;
  }
  const { total, linesFault, heldUntil, deposit, dueOnSite } = verdict;
  if (linesFault !== undefined) report(ruleOfLines(linesFault), 'lines', linesFault.replaceAll('_', ' '));
  const holdMs = heldUntil === null ? 0 : heldUntil - clock.now();
  if (holdMs > MAX_USUAL_HOLD_MS) {
    report(
      'hold_implausible',
      'held_until',
      `a hold of ${Math.floor(holdMs / MS_PER_DAY)} days`,
      holdMs <= MAX_HOLD_MS,
    );
  }
  const entry = quotes.find((quote) => exampleAt(quote, 'property') === reference);
  if (deposit === null && isGiven(entry, 'deposit'))
    report('deposit_unreadable', 'deposit', 'cannot be read', true);
  if (dueOnSite === null && isGiven(entry, 'due_on_site')) {
    report('due_on_site_unreadable', 'due_on_site', 'cannot be read', true);
  }
  if (isMostlyPaidElsewhere(verdict)) {
    report('mostly_paid_elsewhere', '', 'more than half of the total to be paid besides it');
  }
  const indicative = sumOf(calendar, stay);
  if (
    indicative > 0 &&
    (total > indicative * MAX_TIMES_CALENDAR || total * MAX_TIMES_CALENDAR < indicative)
  ) {
    const found = `${formatAmount(total, currency)}, where the calendar's nights cost ${formatAmount(indicative, currency)}`;
    report('total_far_from_calendar', 'total', found, true);
  }
  return total;
}

async function checkTakenStays(
  ask: Ask,
  collector: VerdictCollector,
  samples: readonly Sample[],
  earliest: Day,
): Promise<void> {
  const check = 'quotes_taken_stay';
  const taken = samples
    .flatMap(({ home, calendar }) => {
      const stay = firstTakenStay(calendar, earliest + home.leadDays);
      return stay ? [{ home, stay }] : [];
    })
    .slice(0, MAX_SAMPLES);
  if (taken.length === 0) collector.skip(check, 'no calendar has a night that is taken');
  for (const { home, stay } of taken) {
    const { reference, currency } = home;
    const answer = await ask(check, { references: [reference], stay, guests: guestsOf(home), currency });
    const found = `a price for ${formatDay(stay.checkIn)} to ${formatDay(stay.checkOut)}`;
    mustBeRefused(collector, check, { answer, reference, currency, rule: 'taken_stay_quoted', found });
  }
}

async function checkGuests(ask: Ask, collector: VerdictCollector, { home, stay }: FreeSample): Promise<void> {
  const check = 'quotes_too_many_guests';
  const { reference, currency } = home;
  const guests = home.maxGuests + 1;
  const answer = await ask(check, { references: [reference], stay, guests, currency });
  const found = `a price for ${guests} guests, where max_guests is ${home.maxGuests}`;
  mustBeRefused(collector, check, {
    answer,
    reference,
    currency,
    rule: 'too_many_guests_quoted',
    found,
    reason: 'too_many_guests',
  });
}

async function checkUnknownProperty(
  ask: Ask,
  collector: VerdictCollector,
  { home: { currency }, stay }: FreeSample,
): Promise<void> {
  const check = 'quotes_unknown_property';
  const reference = UNKNOWN_PROPERTY;
  const answer = await ask(check, { references: [reference], stay, guests: 1, currency });
  const found = 'a price for a property that is not in the catalogue';
  mustBeRefused(collector, check, {
    answer,
    reference,
    currency,
    rule: 'unknown_property_quoted',
    found,
    reason: 'unknown_property',
  });
}

async function checkRepeated(
  ask: Ask,
  collector: VerdictCollector,
  { home, stay }: FreeSample,
  totals: ReadonlyMap<string, MinorUnits>,
): Promise<void> {
  const check = 'quotes_repeated';
  const { reference, currency } = home;
  const total = totals.get(reference);
  if (total === undefined) return collector.skip(check, 'there is no price to compare with');
  const answer = await ask(check, { references: [reference], stay, guests: guestsOf(home), currency });
  mustBe(collector, check, { answer, reference, currency, total, rule: 'total_differs' });
}

/** Includes an unknown property, which must not cost the others their prices. */
async function checkBatch(
  ask: Ask,
  collector: VerdictCollector,
  { home, stay }: FreeSample,
  {
    samples,
    totals,
  }: { readonly samples: readonly Sample[]; readonly totals: ReadonlyMap<string, MinorUnits> },
): Promise<void> {
  const check = 'quotes_batch';
  const { reference, currency } = home;
  const others = samples.filter((sample) => sample.home.currency === currency && sample.home !== home);
  const references = [home, ...others.map((sample) => sample.home)]
    .slice(0, MAX_BATCH - 1)
    .map((one) => one.reference);
  const asked = [...references, UNKNOWN_PROPERTY];
  const answer = await ask(check, { references: asked, stay, guests: guestsOf(home), currency });
  for (const one of asked) {
    const verdict = answer?.verdicts.get(one);
    if (answer && verdict?.kind === 'failed') {
      explainFailure(collector, check, { answer, reference: one, currency, failure: verdict.failure });
    }
  }
  const total = totals.get(reference);
  if (total !== undefined && answer?.verdicts.get(reference)?.kind !== 'failed') {
    mustBe(collector, check, { answer, reference, currency, total, rule: 'batch_total_differs' });
  }
  collector.passed(check, `${asked.length} properties in one call`);
}

async function checkUnknownMember(
  ask: Ask,
  collector: VerdictCollector,
  { home, stay }: FreeSample,
  totals: ReadonlyMap<string, MinorUnits>,
): Promise<void> {
  const check = 'quotes_unknown_member';
  const { reference, currency } = home;
  const total = totals.get(reference);
  if (total === undefined) return collector.skip(check, 'there is no price to compare with');
  const more = { staywire_check: { a_later_member: true } };
  const answer = await ask(check, { references: [reference], stay, guests: guestsOf(home), currency, more });
  if (answer?.verdicts.get(reference)?.kind === 'quoted') return;
  if (answer)
    mustBe(collector, check, { answer, reference, currency, total, rule: 'unknown_member_refused' });
  else
    reportQuotes(collector, check, 'unknown_member_refused', {
      place: '',
      found: 'the call failed',
      milliseconds: null,
    });
}

function ruleOfLines(fault: BreakdownFault): ProtocolRule {
  return fault === 'does_not_add_up' ? 'lines_do_not_add_up' : 'lines_not_shown';
}

function guestsOf({ maxGuests }: Property): number {
  return Math.min(2, maxGuests);
}

function isGiven(entry: unknown, name: string): boolean {
  const value = exampleAt(entry, name);
  return value !== undefined && value !== null;
}

/** 0 when one of the nights has no price. */
function sumOf({ firstDay, price }: Calendar, { checkIn, checkOut }: SampleStay): MinorUnits {
  const nights = price.subarray(checkIn - firstDay, checkOut - firstDay);
  return nights.includes(0) ? 0 : nights.reduce((sum, night) => sum + night, 0);
}

/** The first stay from `earliest` on that the calendar and its rules allow, as short as possible. */
export function firstFreeStay(calendar: Calendar, earliest: Day): SampleStay | undefined {
  const { firstDay, available, minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
  for (let index = Math.max(0, earliest - firstDay); index < available.length; index += 1) {
    const nights = minimumStay[index] ?? 1;
    const maximum = maximumStay[index] ?? 0;
    const end = index + nights;
    const isOpen = !closedToArrival[index] && !closedToDeparture[end] && (maximum === 0 || nights <= maximum);
    if (isOpen && end <= available.length && available.subarray(index, end).every((night) => night === 1)) {
      return { checkIn: firstDay + index, checkOut: firstDay + end };
    }
  }
  return undefined;
}

/** The first stay from `earliest` on whose first night is taken. */
export function firstTakenStay(calendar: Calendar, earliest: Day): SampleStay | undefined {
  const { firstDay, available, minimumStay } = calendar;
  const index = available.indexOf(0, Math.max(0, earliest - firstDay));
  if (index < 0) return undefined;
  const nights = Math.min(Math.max(2, minimumStay[index] ?? 1), 28);
  return { checkIn: firstDay + index, checkOut: firstDay + index + nights };
}
