import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { type CountedLabels, type MostCounted, NOTHING_MOST_COUNTED } from '../activity-store.ts';
import { NO_LABELS } from '../count.ts';
import { countsIn } from './counts.ts';
import { demandReport } from './demand-report.ts';
import { createReportNames, type ReportTable } from './report.ts';

const names = createReportNames(sampleNetwork(['casas']), []);

function reportOf(
  rows: readonly (Partial<CountedLabels> & Pick<CountedLabels, 'measure'>)[],
  missing: Partial<MostCounted> = {},
) {
  const counts = countsIn(rows.map((row) => ({ ...NO_LABELS, hour: null, count: 1, sum: 0, ...row })));
  return demandReport({ names, brand: null, counts, missing: { ...NOTHING_MOST_COUNTED, ...missing } });
}

function tableOf(
  rows: Parameters<typeof reportOf>[0],
  id: string,
  missing?: Partial<MostCounted>,
): ReportTable {
  const table = reportOf(rows, missing).sections.find((one) => one.id === id);
  assert.ok(table);
  return table;
}

const sumOf = ({ rows }: ReportTable) =>
  rows.flatMap((row) => row.slice(1)).reduce<number>((sum, cell) => sum + Number(cell), 0);

describe('demand', () => {
  it('is added up for all places and months beyond those that were asked for most', () => {
    const wishes = Array.from({ length: 50 }, (_, place) =>
      Array.from({ length: 40 }, (_, month) => ({
        measure: 'wishes' as const,
        place: `place-${place}`,
        facet: `20${27 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
        reason: 'nothing_free',
        count: 100 - place + (month === 39 ? 1000 : 0),
      })),
    ).flat();
    const table = tableOf(
      [...wishes, { measure: 'wishes', reason: 'not_on_network', count: 7 }],
      'unmet_by_month',
    );
    assert.deepEqual(
      table.rows.map(([place]) => place),
      [
        ...Array.from({ length: 30 }, (_, place) => ({ id: `place-${place}`, text: `place-${place}` })),
        { id: 'other_places', text: 'other places' },
        { id: null, text: 'no known place' },
      ],
    );
    const heads = table.columns.map(({ id }) => id);
    assert.equal(heads.length, 1 + 24 + 2);
    assert.deepEqual(heads.slice(0, 3), ['place', '2027-01', '2027-02']);
    assert.deepEqual(heads.slice(-3), ['2030-04', 'other_months', 'no_month']);
    assert.equal(table.columns[1]?.label, 'Jan 2027');
    const all = wishes.reduce((sum, { count }) => sum + count, 0) + 7;
    assert.equal(sumOf(table), all);
    assert.equal(reportOf(wishes).tiles[1]?.value, all - 7);
  });

  it('shows the missing places that most sessions asked for, then all that have no name, and says what it hides', () => {
    const facets = [
      { facet: 'el dorado', count: 9 },
      { facet: 'atlantis', count: 3 },
    ];
    const noteOf = (missing: Partial<MostCounted>) => tableOf([], 'missing_places', missing).note ?? '';
    const table = tableOf([], 'missing_places', { facets, unnamed: 5000 });
    assert.deepEqual(table.rows, [
      ['el dorado', 9],
      ['atlantis', 3],
      ['other names', 5000],
    ]);
    assert.match(
      table.note ?? '',
      /“other names” are those beyond the first 200 that an assistant asked for in a day\.$/,
    );
    assert.match(noteOf({ facets, fewer: 1 }), /1 name that fewer asked for is not shown\.$/);
    assert.match(
      noteOf({ facets, fewer: 2, beyondLimit: 20 }),
      /2 names that fewer asked for are not shown\. 20 more were asked for less often\.$/,
    );
    assert.doesNotMatch(noteOf({ facets }), /not shown|less often|other names/);
    assert.deepEqual(tableOf([], 'missing_places').rows, []);
  });

  it('tells of each month of arrival what was found and why not, and of all others together', () => {
    const wish = (facet: string, reason: string, count: number) => ({
      measure: 'wishes' as const,
      place: 'lisbon-pt',
      facet,
      reason,
      count,
    });
    const seldom = Array.from({ length: 26 }, (_, at) =>
      wish(String(2030 + at).concat('-01'), 'nothing_free', 1),
    );
    const table = tableOf(
      [
        wish('2027-08', 'nothing_free', 30),
        wish('2027-08', 'found', 10),
        wish('2027-05', 'minimum_stay', 40),
        wish('', 'not_on_network', 2),
        ...seldom,
      ],
      'months',
    );
    assert.deepEqual(
      table.columns.map(({ id }) => id),
      ['month', 'asked', 'share_unmet', 'found', 'nothing_free', 'minimum_stay', 'not_on_network'],
    );
    assert.deepEqual(table.rows.slice(0, 2), [
      ['2027-05', 40, 1, 0, 0, 40, 0],
      ['2027-08', 40, 0.75, 10, 30, 0, 0],
    ]);
    assert.deepEqual(table.rows.slice(-2), [
      [{ id: 'other_months', text: 'other months' }, 4, 1, 0, 4, 0, 0],
      [{ id: null, text: 'no month' }, 2, 1, 0, 0, 0, 2],
    ]);
    const asked = table.rows.reduce((sum, row) => sum + Number(row[1]), 0);
    assert.equal(asked, 108);
  });

  it('has parties and stays in the order of their numbers, the long ones last', () => {
    const nights = ['40', '2', '10', '31'].map((facet) => ({ measure: 'lengths' as const, facet }));
    assert.deepEqual(
      tableOf(nights, 'lengths').rows.map(([length, stays]) => [length, stays]),
      [
        [{ id: '2', text: '2' }, 1],
        [{ id: '10', text: '10' }, 1],
        [{ id: 'more_than_30', text: 'more than 30' }, 2],
      ],
    );
  });

  it('tells two places of one name apart', () => {
    const { brands, places } = sampleNetwork(['casas']);
    const lisbon = places.get('lisbon-pt');
    assert.ok(lisbon);
    const two = createReportNames(
      { brands, places: new Map([...places, ['lisbon-us', { ...lisbon, id: 'lisbon-us' }]]) },
      [],
    );
    assert.deepEqual(
      ['lisbon-pt', 'lisbon-us', 'portugal', 'gone'].map((id) => two.place(id).text),
      ['Lisbon (lisbon-pt)', 'Lisbon (lisbon-us)', 'Portugal', 'gone'],
    );
  });
});
