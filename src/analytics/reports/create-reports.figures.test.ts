import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  countsOf,
  plainActivityStore,
  plainOutcomes,
  randomActivity,
} from '../../../test/support/plain-activity.ts';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { createReports } from './create-reports.ts';
import type { Report, ReportId } from './report.ts';

const now = Date.UTC(2026, 10, 17, 11, 20, 5);
const range = { from: '2026-11-14', to: '2026-11-17', brand: null };

/** Figures by their identifiers: of a tile, of a column summed over the rows, or of a column in each row. */
function readingOf(report: Report) {
  const table = (id: string) => {
    const found = report.sections.find((one) => one.id === id);
    assert.ok(found, id);
    return found;
  };
  const column = (id: string, name: string) => {
    const { columns, rows } = table(id);
    const at = columns.findIndex((one) => one.id === name);
    assert.ok(at >= 0, `${id}.${name}`);
    return rows.map((row) => Number(row[at] ?? 0));
  };
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return {
    tile: (id: string) => Number(report.tiles.find((one) => one.id === id)?.value ?? Number.NaN),
    sumOf: (id: string, ...names: readonly string[]) => sum(names.flatMap((name) => column(id, name))),
    sumOfOthers: (id: string, ...names: readonly string[]) =>
      sum(
        table(id)
          .columns.filter(({ unit, id: one }) => unit === 'number' && !names.includes(one))
          .flatMap(({ id: one }) => column(id, one)),
      ),
  };
}

/** Pairs that a reader would add up. */
const SUMS: Readonly<
  Record<ReportId, (report: ReturnType<typeof readingOf>) => readonly (readonly [number, number])[]>
> = {
  today: ({ tile, sumOf }) => [
    [tile('sessions'), tile('completed') + tile('abandoned') + tile('open')],
    [tile('sessions'), sumOf('periods', 'sessions')],
    [tile('completed'), sumOf('periods', 'completed')],
    [tile('requests'), sumOf('periods', 'requests')],
    [tile('errors'), sumOf('periods', 'errors')],
    [tile('sessions'), sumOf('funnel', 'stopped') + tile('completed')],
    [sumOf('funnel', 'stopped'), sumOf('refusals', 'sessions')],
    [tile('completed'), sumOf('times', 'sessions')],
    [sumOf('prices', 'asked'), sumOf('prices', 'quoted', 'unavailable', 'failed')],
    [tile('searches'), sumOf('searches', 'searches')],
    [tile('requests'), sumOf('answers', 'requests')],
  ],
  demand: ({ tile, sumOf, sumOfOthers }) => [
    [tile('wishes'), tile('found') + tile('unmet')],
    [tile('unmet'), sumOf('unmet', 'wishes')],
    [tile('unmet'), sumOfOthers('unmet_by_month')],
    [tile('wishes'), sumOfOthers('asked_by_month')],
    [tile('wishes'), sumOf('places', 'asked')],
    [tile('found'), sumOf('places', 'found')],
    [tile('unmet'), sumOfOthers('places', 'asked', 'found')],
    [tile('stays'), sumOf('parties', 'stays')],
    [tile('stays'), sumOf('lengths', 'stays')],
    [tile('stays'), sumOf('lead_times', 'stays')],
  ],
  operators: ({ sumOf, sumOfOthers }) => [
    [sumOf('prices', 'asked'), sumOf('prices', 'quoted', 'unavailable', 'failed')],
    [sumOf('prices', 'failed'), sumOf('failures', 'homes')],
    [sumOf('prices', 'calls'), sumOfOthers('latency')],
    [sumOf('drift', 'quotes'), sumOfOthers('drift', 'quotes')],
    [sumOf('readings', 'readings'), sumOf('readings', 'succeeded', 'failed')],
    [sumOf('readings', 'failed'), sumOf('reading_failures', 'readings')],
  ],
  assistants: ({ tile, sumOf }) => [
    [tile('sessions'), sumOf('assistants', 'sessions')],
    [tile('strangers'), sumOf('strangers', 'requests')],
  ],
  outcomes: ({ tile, sumOf }) => [
    [tile('bookings'), tile('known') + tile('unknown')],
    [tile('bookings'), sumOf('brands', 'bookings')],
    [tile('bookings'), sumOf('amounts', 'bookings', 'cancelled')],
    [tile('cancelled'), sumOf('brands', 'cancelled')],
    [sumOf('accuracy', 'compared'), sumOf('accuracy', 'equal', 'more', 'less')],
    [sumOf('accuracy', 'compared', 'other_currency'), sumOf('waits', 'bookings')],
    ...['by_assistant', 'by_place', 'by_lead_time'].map(
      (table) => [sumOf(table, 'bookings'), sumOf('waits', 'bookings')] as const,
    ),
    [sumOf('by_assistant', 'stays'), sumOf('by_place', 'stays')],
    [sumOf('by_assistant', 'stays'), sumOf('by_lead_time', 'stays')],
  ],
};

describe('what a page says of parts', () => {
  for (const id of Object.keys(SUMS) as ReportId[]) {
    it(`adds up to what it says of the whole: ${id}`, async () => {
      await fc.assert(
        fc.asyncProperty(randomActivity(now, 3), async (activity) => {
          const report = await createReports({
            activity: plainActivityStore(countsOf(activity)),
            outcomes: plainOutcomes(activity.bookings),
            network: sampleNetwork(['casas']),
            health: async () => [],
            assistants: () => [],
            sessionMinutes: 30,
            clock: { now: () => now },
          })(id, range);
          for (const [at, [whole, parts]] of SUMS[id](readingOf(report)).entries()) {
            assert.equal(parts, whole, `sum ${at} of ${id}`);
          }
        }),
        { numRuns: 40 },
      );
    });
  }
});
