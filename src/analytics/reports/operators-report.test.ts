import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import type { OperatorHealth } from '../../sync/operator-controls.ts';
import type { CountedLabels } from '../activity-store.ts';
import { NO_LABELS } from '../count.ts';
import { countsIn } from './counts.ts';
import { OPERATOR_STATES, operatorState, operatorsReport } from './operators-report.ts';
import { createReportNames } from './report.ts';

const names = createReportNames(sampleNetwork(['casas', 'sol']), []);
const healthy: OperatorHealth = {
  brand: 'casas',
  name: 'casas',
  system: 'open',
  lastReadAt: 1000,
  lastFailure: null,
  homes: 4,
  oldestCalendarMs: 678,
  calendarsWaiting: 0,
  breaker: 'closed',
  pausedAt: null,
  budget: null,
  rejections: [],
  unlistedRejections: 0,
};

function reportOf(
  brand: string | null,
  health: readonly OperatorHealth[] = [healthy],
  rows: readonly (Partial<CountedLabels> & Pick<CountedLabels, 'measure'>)[] = [],
) {
  const counted = rows.map((row) => ({ ...NO_LABELS, hour: null, count: 1, sum: 0, brand: 'casas', ...row }));
  return operatorsReport({ names, brand, counts: countsIn(counted), health, now: 1678 });
}

describe('the report of operators', () => {
  it('of one brand speaks of that brand alone', () => {
    const { about, tiles, sections } = reportOf('casas');
    assert.match(about, /^Whether casas can be read/);
    assert.deepEqual(
      tiles.map(({ id }) => id),
      ['homes', 'held_back', 'share_quoted', 'mean_latency', 'share_refused', 'mean_drift'],
    );
    const said = [...tiles, ...sections].map(({ note = '' }) => note).join('\n');
    assert.doesNotMatch(said, /all brands|each brand|each operator/i);
    assert.equal(sections[0]?.title, 'How it is now');
  });

  it('of all brands counts those that are paused or in trouble', () => {
    const others = [
      { ...healthy, brand: 'sol', pausedAt: 5 },
      { ...healthy, brand: 'mar', breaker: 'half_open' as const },
    ];
    const figure = (id: string) =>
      reportOf(null, [healthy, ...others]).tiles.find((one) => one.id === id)?.value;
    assert.deepEqual([figure('paused'), figure('failing')], [1, 1]);
  });

  it('brings good news only of what was asked or read', () => {
    const emptyIn = (...given: Parameters<typeof reportOf>) =>
      reportOf(...given).sections.flatMap(({ id, rows, whenEmpty }) =>
        rows.length === 0 ? [[id, whenEmpty]] : [],
      );
    const nothing = Object.fromEntries(emptyIn(null, [{ ...healthy, lastReadAt: null }]));
    assert.equal(nothing.failures, 'No price was asked for in this time.');
    assert.equal(nothing.refusals, nothing.failures);
    assert.equal(nothing.drift, nothing.failures);
    assert.equal(nothing.reading_failures, nothing.readings);
    assert.equal(nothing.held_back, 'Nothing was read completely yet.');
    const some = Object.fromEntries(
      emptyIn(
        null,
        [healthy],
        [
          { measure: 'prices', reason: 'quoted' },
          { measure: 'readings', reason: 'succeeded' },
        ],
      ),
    );
    assert.deepEqual(
      [some.failures, some.refusals, some.reading_failures, some.held_back],
      [
        'Every price that was asked for had an answer.',
        'Nothing that a calendar offered was refused.',
        'No reading failed in this time.',
        'Nothing is held back.',
      ],
    );
  });
});

describe('the state of an operator', () => {
  it('is the worst that can be said of it', () => {
    const cases: readonly (readonly [Partial<OperatorHealth>, string])[] = [
      [{}, 'on offer'],
      [{ breaker: null }, 'on offer'],
      [{ breaker: 'half_open' }, 'on offer, prices tried again'],
      [{ breaker: 'half_open', lastFailure: 'timeout' }, 'on offer, last reading failed'],
      [{ breaker: 'open', lastFailure: 'timeout' }, 'prices fail'],
      [{ lastReadAt: null }, 'not read yet'],
      [{ lastReadAt: null, breaker: 'open', lastFailure: 'timeout' }, 'cannot be read'],
      [{ lastReadAt: null, pausedAt: 5 }, 'paused'],
    ];
    for (const [changes, words] of cases)
      assert.equal(OPERATOR_STATES[operatorState({ ...healthy, ...changes })], words);
    assert.equal(operatorState(null), 'not_on_network');
  });
});
