import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Network } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import { formatDay } from '../../stay/day.ts';
import type { OperatorHealth } from '../../sync/operator-controls.ts';
import type { ActivityStore, HourSpan } from '../activity-store.ts';
import type { BookingOutcomes } from '../bookings/booking-outcomes.ts';
import { hourOf, type Measure, startOfHour } from '../count.ts';
import { assistantsReport } from './assistants-report.ts';
import { type Counts, countsIn } from './counts.ts';
import { demandReport, MISSING_PLACES_SHOWN } from './demand-report.ts';
import { operatorsReport } from './operators-report.ts';
import { outcomesReport } from './outcomes-report.ts';
import {
  createReportNames,
  hoursOf,
  type MakeReport,
  periodsOf,
  type Report,
  type ReportedAssistant,
  type ReportId,
  type ReportRange,
} from './report.ts';
import { todayReport } from './today-report.ts';

export type ReportSources = {
  readonly activity: Pick<ActivityStore, 'read' | 'mostCounted' | 'span'>;
  readonly outcomes: Pick<BookingOutcomes, 'read'>;
  readonly network: Network;
  readonly health: () => Promise<readonly OperatorHealth[]>;
  readonly assistants: () => readonly ReportedAssistant[];
  readonly sessionMinutes: number;
  readonly clock: Pick<Clock, 'now'>;
};

/** Reads the data of each report. The reports are pure functions, each in its own file. */
export function createReports(sources: ReportSources): MakeReport {
  const { activity, outcomes, network, health, assistants, sessionMinutes, clock } = sources;
  const names = () => createReportNames(network, assistants());

  async function read<Read extends Measure>(
    span: HourSpan,
    brand: string | null,
    ...measures: readonly Read[]
  ): Promise<Counts<Read>> {
    return countsIn(await activity.read({ ...span, measures, ...(brand === null ? {} : { brand }) }));
  }

  async function today({ brand, ...range }: ReportRange): Promise<Report> {
    const now = clock.now();
    const { column, segments } = periodsOf(range, await activity.span(), { now, sessionMinutes });
    const counted = [];
    // Sequentially: a report of a year must not take every connection of the store.
    for (const segment of segments) {
      counted.push({
        ...segment,
        counts: await read(segment, brand, 'sessions', 'standings', 'times_to_result', 'requests'),
      });
    }
    return todayReport({
      isToday: [range.from, range.to].every((day) => day === formatDay(Math.floor(hourOf(now) / 24))),
      names: names(),
      brand,
      column,
      segments: counted,
      counts: await read(hoursOf(range), brand, 'refusals', 'searches', 'prices', 'shed'),
    });
  }

  async function demand({ brand, ...range }: ReportRange): Promise<Report> {
    const span = hoursOf(range);
    const missing = await activity.mostCounted({
      ...{ ...span, ...MISSING_PLACES_SHOWN, measure: 'missing_places' },
      ...(brand === null ? {} : { brand }),
    });
    const counts = await read(
      span,
      brand,
      ...(['wishes', 'parties', 'lengths', 'lead_times', 'amenities', 'sessions'] as const),
      ...(brand === null ? [] : (['options', 'refused_offers'] as const)),
    );
    return demandReport({ names: names(), brand, counts, missing });
  }

  async function operators({ brand, ...range }: ReportRange): Promise<Report> {
    const [counts, all] = await Promise.all([
      read(hoursOf(range), brand, 'prices', 'price_calls', 'refused_offers', 'drifts', 'readings'),
      health(),
    ]);
    const shown = brand === null ? all : all.filter((one) => one.brand === brand);
    return operatorsReport({ names: names(), brand, counts, health: shown, now: clock.now() });
  }

  async function ofAssistants({ brand, ...range }: ReportRange): Promise<Report> {
    const counts = await read(
      hoursOf(range),
      brand,
      ...(['sessions', 'standings', 'searches'] as const),
      ...(brand === null ? (['requests'] as const) : (['options'] as const)),
    );
    return assistantsReport({ names: names(), brand, counts, registered: assistants() });
  }

  async function ofOutcomes({ brand, ...range }: ReportRange): Promise<Report> {
    const span = hoursOf(range);
    const [counts, bookings] = await Promise.all([
      read(span, brand, 'lead_times'),
      readBookings(outcomes, { from: startOfHour(span.from), before: startOfHour(span.to + 1), brand }),
    ]);
    const brands = [...network.brands.keys()].filter((id) => brand === null || id === brand);
    return outcomesReport({ names: names(), brand, brands, places: network.places, counts, bookings });
  }

  const reports: Readonly<Record<ReportId, (range: ReportRange) => Promise<Report>>> = {
    today,
    demand,
    operators,
    assistants: ofAssistants,
    outcomes: ofOutcomes,
  };
  return (id, range) => reports[id](range);
}

/** The store's thread copies such a page in about ten milliseconds. */
const BOOKINGS_A_PAGE = 1000;

/** Reads all pages, and yields to the event loop between them. */
async function readBookings(
  outcomes: ReportSources['outcomes'],
  range: { readonly from: number; readonly before: number; readonly brand: string | null },
): Promise<readonly BookingOutcome[]> {
  const { from, before, brand } = range;
  const question = { from, before, limit: BOOKINGS_A_PAGE, ...(brand === null ? {} : { brand }) };
  const found: BookingOutcome[] = [];
  for (;;) {
    const after = found.at(-1);
    const page = await outcomes.read({ ...question, ...(after ? { after } : {}) });
    found.push(...page);
    if (page.length < BOOKINGS_A_PAGE) return found;
    await nextTurn();
  }
}
