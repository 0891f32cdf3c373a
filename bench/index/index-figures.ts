import { type Figure, figure } from '../document/figure.ts';
import { byteCount, digits, duration, whole } from '../document/quantities.ts';
import type { Area, IndexCosts, ScopedTimes } from './measure-index.ts';

/** What the index may cost with a million homes. */
const INDEX_BUDGET = {
  bytesPerHome: 1200,
  fullQuestionUs: 150,
  stepUs: { place: 50, country: 1000, network: 1000 } satisfies Record<Area, number>,
  countryQuestionUs: 1000,
  replacedUs: 100,
  rollOverMs: 5,
  buildUsPerHome: 10,
  snapshotReadMs: 10_000,
  startUsPerHome: 10,
} as const;

/** Every figure of one size, with the budget beside it. */
export function indexFigures(costs: IndexCosts): readonly Figure[] {
  const { fullQuestion, steps, replaced, snapshot, starts, rollOverMs, bytesPerHome, buildUsPerHome } = costs;
  const of = `of ${costs.inventory}`;
  const budget = INDEX_BUDGET;
  const country = fullQuestion.country;
  return [
    figure(`index ${of}, a home`, byteCount(bytesPerHome), {
      baseline: `resident ${byteCount(costs.residentPerHome)}`,
      ...within(bytesPerHome, budget.bytesPerHome, byteCount),
    }),
    figure(`index ${of}, built, a home`, duration(buildUsPerHome), {
      baseline: `${whole(1_000_000 / buildUsPerHome)} homes a second`,
      ...within(buildUsPerHome, budget.buildUsPerHome, duration),
    }),
    ...(fullQuestion.place
      ? [
          times(
            `full question, biggest place (${whole(costs.biggestPlace)} homes)`,
            fullQuestion.place,
            budget.fullQuestionUs,
          ),
        ]
      : []),
    ...(country ? [times('full question, country', country, budget.countryQuestionUs)] : []),
    ...steps.map(({ step, area, ...scoped }) => times(`${step}, ${area}`, scoped, budget.stepUs[area])),
    figure('calendar replaced', duration(replaced.medianUs), {
      p99: duration(replaced.p99Us),
      ...within(replaced.medianUs, budget.replacedUs, duration),
    }),
    figure('longest pause of a roll-over', duration(rollOverMs * 1000), {
      ...within(rollOverMs * 1000, budget.rollOverMs * 1000, duration),
    }),
    figure('snapshot written', duration(snapshot.writeMs * 1000), { baseline: byteCount(snapshot.bytes) }),
    figure('snapshot read', duration(snapshot.readMs * 1000), {
      ...within(snapshot.readMs * 1000, budget.snapshotReadMs * 1000, duration),
    }),
    start('start from the store', starts.fromStoreUs, starts.homes),
    start('start from a snapshot, compared with the store', starts.fromSnapshotUs, starts.homes),
  ];
}

function start(what: string, us: number, homes: number): Figure {
  return figure(`${what}, a home`, duration(us), {
    baseline: `${whole(1_000_000 / us)} homes a second, of ${whole(homes)}`,
    ...within(us, INDEX_BUDGET.startUsPerHome, duration),
  });
}

/** The few that show how cost grows with the number of homes. */
export function sizeFigure({
  homes,
  fullQuestion,
  bytesPerHome,
  biggestPlace,
  ...costs
}: IndexCosts): Figure {
  const place = fullQuestion.place?.allBrands;
  return figure(
    `${whole(homes)} homes: full question, place of ${whole(biggestPlace)}`,
    duration(place?.medianUs ?? Number.NaN),
    {
      p99: duration(place?.p99Us ?? Number.NaN),
      baseline: `${byteCount(bytesPerHome)} and ${duration(costs.buildUsPerHome)} of building a home`,
      ratio: `${digits(((place?.medianUs ?? 0) * 1000) / biggestPlace)} ns a home`,
    },
  );
}

/** Over all brands, and beside it for the largest; both have to be within the budget. */
function times(what: string, { allBrands, oneBrand }: ScopedTimes, budgetUs: number): Figure {
  const slower = Math.max(allBrands.medianUs, oneBrand.medianUs);
  return figure(what, duration(allBrands.medianUs), {
    p99: duration(allBrands.p99Us),
    baseline: `largest brand ${duration(oneBrand.medianUs)}`,
    ...within(slower, budgetUs, duration),
  });
}

function within(value: number, most: number, format: (value: number) => string) {
  return { goal: `at most ${format(most)}`, isMet: value <= most };
}
