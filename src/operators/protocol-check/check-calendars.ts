import type { Calendar } from '../../inventory/calendar.ts';
import type { Property } from '../../inventory/catalogue.ts';
import { BookingSystemFailure, type Horizon } from '../../quotes/booking-system.ts';
import { HELD_BACK_RULES } from '../../quotes/held-back-rules.ts';
import { shownText } from '../../quotes/held-back-value.ts';
import { formatDay, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { readCalendars } from '../open/read-calendars.ts';
import type { CallServer } from './call-server.ts';
import { ruleOfDocument } from './check-catalogue.ts';
import { exampleAt } from './every-fault.ts';
import { EXAMPLE_PERIOD } from './example-answers.ts';
import { foundText } from './found-text.ts';
import { PROTOCOL_RULES, type ProtocolRule } from './protocol-rules.ts';
import { UNKNOWN_PROPERTY } from './unknown-property.ts';
import type { ProtocolCheck, VerdictCollector } from './verdict.ts';

const BATCH = 100;
/** Enough to find what is wrong with all of them, without asking a large operator for everything. */
const MAX_HOMES = 300;

/** Reads the calendars of the first homes. Those that can be read are what stays are sampled from. */
export async function checkCalendars(
  server: CallServer,
  collector: VerdictCollector,
  homes: readonly Property[],
  horizon: Horizon,
): Promise<ReadonlyMap<string, Calendar>> {
  const calendars = new Map<string, Calendar>();
  for (let at = 0; at < Math.min(homes.length, MAX_HOMES); at += BATCH) {
    collector.begin('calendars');
    const batch = homes.slice(at, at + BATCH);
    const answer = await ask(
      server,
      collector,
      batch.map(({ reference }) => reference),
      horizon,
    );
    if (answer === undefined) return calendars;
    checkBatch({ ...answer, batch, horizon, calendars }, collector);
  }
  if (homes.length > 0) {
    collector.begin('calendars_unknown_property');
    const answer = await ask(server, collector, [UNKNOWN_PROPERTY], horizon, 'calendars_unknown_property');
    for (const { property } of answer?.entries ?? []) {
      const found = `a calendar for ${shownText(String(property))}`;
      report(collector, 'not_asked_for', { check: 'calendars_unknown_property', place: 'calendars', found });
    }
  }
  collector.passed('calendars', `${calendars.size} calendars`);
  return calendars;
}

type CalendarsRead = {
  readonly bytes: Uint8Array;
  readonly entries: readonly { readonly property?: unknown; readonly periods?: unknown }[];
  readonly milliseconds: number;
};

async function ask(
  server: CallServer,
  collector: VerdictCollector,
  references: readonly string[],
  horizon: Horizon,
  check: ProtocolCheck = 'calendars',
): Promise<CalendarsRead | undefined> {
  const body = { properties: references, from: formatDay(horizon.from), nights: horizon.nights };
  const result = await server.post('/calendars', body);
  if (result.kind !== 'document') {
    collector.skip(check, 'the call failed');
    return undefined;
  }
  const { bytes, milliseconds } = result;
  try {
    // To the connector's reader the answer as a whole is readable or not; what is in it is told for each home.
    readCalendars(bytes, { asked: [], horizon, currencies: new Map() }).next();
    const { calendars } = parseDocument(bytes) as { readonly calendars: readonly unknown[] };
    const entries = calendars.filter((entry) => typeof entry === 'object' && entry !== null);
    return { bytes, entries, milliseconds };
  } catch (error) {
    if (!(error instanceof BookingSystemFailure)) throw error;
    const rule = ruleOfDocument(error, 'answer_shape');
    report(collector, rule, { check, place: '', found: error.message, milliseconds });
    return undefined;
  }
}

function checkBatch(
  {
    bytes,
    entries,
    milliseconds,
    batch,
    horizon,
    calendars,
  }: CalendarsRead & {
    readonly batch: readonly Property[];
    readonly horizon: Horizon;
    readonly calendars: Map<string, Calendar>;
  },
  collector: VerdictCollector,
): void {
  const currencies = new Map(batch.map(({ reference, currency }) => [reference, currency]));
  for (const [reference, reading] of readCalendars(bytes, {
    asked: [...currencies.keys()],
    horizon,
    currencies,
  })) {
    if (reading.kind === 'valid') {
      calendars.set(reference, reading.value);
      checkRules(reference, reading.value, collector);
      continue;
    }
    for (const { field, rule, reason, value } of reading.faults) {
      const member = field?.split('/').at(-1) ?? '';
      const right = exampleAt(EXAMPLE_PERIOD, member) ?? (field ? EXAMPLE_PERIOD : undefined);
      collector.fault('calendars', {
        place: `POST /calendars ${reference}${field === undefined ? '' : ` ${field}`}`,
        rule,
        found: foundText(reason, value),
        expected: HELD_BACK_RULES[rule].remedy,
        example: right === undefined ? '' : JSON.stringify(right),
        milliseconds,
      });
    }
  }
  for (const { property, periods } of entries) {
    const reference = typeof property === 'string' ? property : '';
    if (!currencies.has(reference)) {
      const found = `a calendar for ${shownText(String(property))}`;
      report(collector, 'not_asked_for', { check: 'calendars', place: 'calendars', found, isWarning: true });
    } else checkDates(reference, periods, horizon, collector);
  }
}

function checkRules(
  reference: string,
  { firstDay, available, minimumStay, maximumStay }: Calendar,
  collector: VerdictCollector,
): void {
  const night = available.findIndex(
    (isFree, index) =>
      isFree === 1 && (maximumStay[index] ?? 0) > 0 && (minimumStay[index] ?? 1) > (maximumStay[index] ?? 0),
  );
  if (night >= 0) {
    const found = `minimum_stay ${minimumStay[night]} and maximum_stay ${maximumStay[night]} on ${formatDay(firstDay + night)}`;
    report(collector, 'minimum_above_maximum', { check: 'calendars', place: reference, found });
  }
  if (!available.includes(1)) {
    const found = 'no night that is available';
    report(collector, 'nothing_available', { check: 'calendars', place: reference, found, isWarning: true });
  }
}

function checkDates(
  reference: string,
  periods: unknown,
  horizon: Horizon,
  collector: VerdictCollector,
): void {
  for (const [index, period] of Array.isArray(periods) ? periods.entries() : []) {
    const [from, to] = ['from', 'to'].map((name) => parseDay(String(exampleAt(period, name))));
    if (from === undefined || to === undefined || from >= to) continue;
    if (to > horizon.from && from < horizon.from + horizon.nights) continue;
    const found = `${formatDay(from)} to ${formatDay(to)}`;
    report(collector, 'outside_horizon', {
      check: 'calendars',
      place: `${reference} periods/${index}`,
      found,
      isWarning: true,
    });
  }
}

function report(
  collector: VerdictCollector,
  rule: ProtocolRule,
  {
    check,
    place,
    found,
    milliseconds = null,
    isWarning = false,
  }: {
    readonly check: ProtocolCheck;
    readonly place: string;
    readonly found: string;
    readonly milliseconds?: number | null;
    readonly isWarning?: boolean;
  },
): void {
  collector.fault(check, {
    place: `POST /calendars ${place}`.trimEnd(),
    rule,
    found,
    ...PROTOCOL_RULES[rule],
    milliseconds,
    isWarning,
  });
}
