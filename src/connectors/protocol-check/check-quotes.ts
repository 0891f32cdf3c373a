import { Compile } from 'typebox/compile';
import type { Calendar } from '../../catalogue/calendar.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import { shownText, shownValue } from '../../catalogue/rejections/rejected-value.ts';
import type { Clock } from '../../clock.ts';
import { isMostlyPaidElsewhere, judgeAnswer, type QuoteVerdict } from '../../quotes/judge-answer.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import { formatAmount, type MinorUnits } from '../../stay/money.ts';
import { Quoted, readQuotes, Unavailable } from '../open/quote.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { firstFault } from '../shared/listings/first-fault.ts';
import { looseList, memberOf } from '../shared/vendors/loose-values.ts';
import {
  type CheckedServer,
  type CheckReport,
  foundText,
  type ReportFault,
  Skipped,
  UNKNOWN_PROPERTY,
} from './verdict.ts';

const MAX_SAMPLES = 5;
const MAX_BATCH = 20;

type Stay = { readonly checkIn: Day; readonly checkOut: Day };
type Sample = { readonly home: Property; readonly stay: Stay };
type Question = {
  readonly references: readonly string[];
  readonly stay: Stay;
  readonly guests: number;
  readonly currency: string;
  /** Members beyond those of the protocol. */
  readonly more?: Readonly<Record<string, unknown>>;
};
type Answer = { verdictOf(reference: string): QuoteVerdict; entryOf(reference: string): unknown };

/** Requests prices of a few homes, for stays that the calendar offers and stays that the server must refuse. */
export async function checkQuotes(
  { run }: Pick<CheckReport, 'run'>,
  server: CheckedServer,
  {
    homes,
    calendars,
    clock,
    earliest,
  }: {
    readonly homes: ReadonlyMap<string, Property>;
    readonly calendars: ReadonlyMap<string, Calendar>;
    readonly clock: Clock;
    readonly earliest: Day;
  },
): Promise<void> {
  const samplesWith = (stayIn: typeof firstFreeStay) =>
    [...homes.values()]
      .flatMap((home): Sample[] => {
        const calendar = calendars.get(home.reference);
        const stay = calendar && stayIn(calendar, earliest + home.leadDays);
        return stay ? [{ home, stay }] : [];
      })
      .slice(0, MAX_SAMPLES);
  const [free, taken] = [samplesWith(firstFreeStay), samplesWith(firstTakenStay)];
  const totals = new Map<string, MinorUnits>();

  /** Asks, reads and judges like a search. A price that cannot be read is a fault; then the verdict is undefined. */
  async function ask(question: Question, fault: ReportFault): Promise<Answer> {
    const { references, stay, guests, currency, more = {} } = question;
    const { bytes } = await server.post('/quotes', {
      properties: references,
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests,
      currency,
      ...more,
    });
    const outcomes = [...readQuotes(bytes, { asked: references, currency })];
    const verdicts = judgeAnswer({ references, outcomes, currency, answeredAt: clock.now() });
    const entries = looseList(memberOf(parseDocument(bytes), 'quotes'));
    for (const [reference, verdict] of verdicts) {
      if (verdict.kind !== 'failed') continue;
      const found = whyUnreadable(entries, reference, currency, verdict.failure);
      fault({ path: reference, found, expected: 'one quote for it that follows the operator protocol' });
    }
    return {
      verdictOf: (reference) => verdicts.get(reference) ?? { kind: 'failed', failure: 'garbled' },
      entryOf: (reference) => entries.find((entry) => memberOf(entry, 'property') === reference),
    };
  }

  const priceOf = ({ home, stay }: Sample): Question => ({
    references: [home.reference],
    stay,
    guests: Math.min(2, home.maxGuests),
    currency: home.currency,
  });

  async function mustBeRefused(
    question: Question,
    { found, reason }: { readonly found: string; readonly reason?: string },
    fault: ReportFault,
  ): Promise<void> {
    const [path = ''] = question.references;
    const verdict = (await ask(question, fault)).verdictOf(path);
    if (verdict.kind === 'quoted') {
      fault({ path, found: `a price ${found}`, expected: 'a refusal, with the status unavailable' });
    } else if (verdict.kind === 'unavailable' && reason !== undefined && verdict.reason !== reason) {
      const expected = `the reason ${reason}: it decides for how long you are not asked again`;
      fault({ path, found: `the reason ${verdict.reason}`, expected, isWarning: true });
    }
  }

  async function mustCost(question: Question, sample: Sample, fault: ReportFault): Promise<void> {
    const { reference, currency } = sample.home;
    const total = totals.get(reference);
    if (total === undefined) throw new Skipped('there is no price to compare with');
    const verdict = (await ask(question, fault)).verdictOf(reference);
    if (verdict.kind === 'failed' || (verdict.kind === 'quoted' && verdict.total === total)) return;
    const now = verdict.kind === 'quoted' ? formatAmount(verdict.total, currency) : verdict.reason;
    const found = `${now}, and ${formatAmount(total, currency)} before`;
    fault({ path: `${reference} total`, found, expected: 'the same total for the same stay' });
  }

  await run('quotes_free_stay', async (fault) => {
    if (free.length === 0) throw new Skipped('no calendar offers a stay');
    for (const sample of free) {
      const { home, stay } = sample;
      const answer = await ask(priceOf(sample), fault);
      const verdict = answer.verdictOf(home.reference);
      if (verdict.kind === 'unavailable') {
        const found = `${verdict.reason} for ${shownStay(stay)}`;
        const expected = 'a price: the calendar says that the stay is free and keeps all rules';
        fault({ path: home.reference, found, expected });
      } else if (verdict.kind === 'quoted') {
        totals.set(home.reference, verdict.total);
        checkPrice(
          home.reference,
          verdict,
          { entry: answer.entryOf(home.reference), now: clock.now() },
          fault,
        );
      }
    }
    return `${totals.size} prices`;
  });
  await run('quotes_taken_stay', async (fault) => {
    if (taken.length === 0) throw new Skipped('no calendar has a night that is taken');
    for (const sample of taken) {
      await mustBeRefused(priceOf(sample), { found: `for ${shownStay(sample.stay)}` }, fault);
    }
    return `${taken.length} refusals`;
  });
  const [first] = free;
  if (!first) return;
  const question = priceOf(first);
  await run('quotes_too_many_guests', async (fault) => {
    const guests = first.home.maxGuests + 1;
    const found = `for ${guests} guests, where max_guests is ${first.home.maxGuests}`;
    await mustBeRefused({ ...question, guests }, { found, reason: 'too_many_guests' }, fault);
    return 'refused';
  });
  await run('quotes_unknown_property', async (fault) => {
    const found = 'for a property that is not in the catalogue';
    const references = [UNKNOWN_PROPERTY];
    await mustBeRefused({ ...question, references }, { found, reason: 'unknown_property' }, fault);
    return 'refused';
  });
  await run('quotes_repeated', async (fault) => {
    await mustCost(question, first, fault);
    return 'the same total';
  });
  await run('quotes_batch', async (fault) => {
    const others = homes.values().filter(({ currency }) => currency === question.currency);
    // An unknown property must not cost the others their prices.
    const references = [...new Set([first.home.reference, ...others.map(({ reference }) => reference)])]
      .slice(0, MAX_BATCH - 1)
      .concat(UNKNOWN_PROPERTY);
    await mustCost({ ...question, references }, first, fault);
    return `${references.length} properties in one call`;
  });
  await run('quotes_unknown_member', async (fault) => {
    await mustCost({ ...question, more: { staywire_check: { a_later_member: true } } }, first, fault);
    return 'ignored';
  });
}

/** Faults of a price that can be read. */
function checkPrice(
  reference: string,
  verdict: Extract<QuoteVerdict, { kind: 'quoted' }>,
  entry: unknown,
  fault: ReportFault,
): void {
  const { linesFault } = verdict;
  const report = (field: string, found: string, expected: string, isWarning = false) =>
    fault({ path: `${reference} ${field}`, found, expected, isWarning });
  if (linesFault !== undefined) {
    const expected = 'exact lines that add up to the total, with labels in a few plain words';
    report('lines', linesFault.replaceAll('_', ' '), expected);
  }
  const read = { deposit: verdict.deposit, due_on_site: verdict.dueOnSite };
  for (const [member, amount] of Object.entries(read)) {
    if (amount !== null || (memberOf(entry, member) ?? null) === null) continue;
    report(member, 'cannot be read', 'an exact amount, or null', true);
  }
  if (isMostlyPaidElsewhere(verdict)) {
    report('', 'more than half of the total is paid besides it', 'what everybody pays in "total"');
  }
}

const quoted = Compile(Quoted);
const unavailable = Compile(Unavailable);

/** Searches the answer for the reason, because the connector reports only that it failed. */
function whyUnreadable(
  entries: readonly unknown[],
  reference: string,
  currency: string,
  failure: string,
): string {
  const [entry, ...others] = entries.filter((one) => memberOf(one, 'property') === reference);
  if (entry === undefined) return 'no answer for it';
  if (others.length > 0) return `${others.length + 1} answers for it`;
  if (failure === 'hold_too_short') return 'held_until ends within a minute, or has ended';
  if (failure === 'wrong_currency') {
    return `currency is ${shownText(String(memberOf(entry, 'currency')))}, must be ${currency}`;
  }
  const schema = memberOf(entry, 'status') === 'unavailable' ? unavailable : quoted;
  if (!schema.Check(entry)) {
    const { field, reason, value } = firstFault(schema, entry);
    return `${field} ${foundText(reason, value)}`.trimStart();
  }
  const values = ['total', 'held_until', 'deposit'].map((name) => {
    const value = memberOf(entry, name);
    return `${name} is ${shownValue(name === 'deposit' ? memberOf(value, 'amount') : value) ?? 'missing'}`;
  });
  return `${values.join(', ')}: not all exact amounts and instants in UTC, or out of proportion`;
}

function shownStay({ checkIn, checkOut }: Stay): string {
  return `${formatDay(checkIn)} to ${formatDay(checkOut)}`;
}

/** The first stay from `earliest` on that the calendar and its rules allow, as short as possible. */
function firstFreeStay(calendar: Calendar, earliest: Day): Stay | undefined {
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
function firstTakenStay({ firstDay, available, minimumStay }: Calendar, earliest: Day): Stay | undefined {
  const index = available.indexOf(0, Math.max(0, earliest - firstDay));
  if (index < 0) return undefined;
  const nights = Math.min(Math.max(2, minimumStay[index] ?? 1), 28);
  return { checkIn: firstDay + index, checkOut: firstDay + index + nights };
}
