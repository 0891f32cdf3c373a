import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import type { ConnectorCost } from './measure-connector.ts';
import { measureConnectors } from './measure-connectors.ts';
import { reportConnector } from './report.ts';

/** Checks with a handful of homes that every connector is measured. What it costs is not tested: that depends on the machine. */
describe('the benchmark of the connectors', () => {
  it('prices and synchronises with every one of them, and sends the same calls again', {
    timeout: 120_000,
  }, async () => {
    const work = {
      homes: 3,
      quotes: 2,
      pricingRounds: 1,
      pricingSlices: 1,
      synchronisations: 1,
      warmUpSlices: 0,
      only: undefined,
    };
    const costs: ConnectorCost[] = [];
    for await (const cost of measureConnectors(work)) costs.push(cost);
    assert.deepEqual(costs.map(({ kind }) => kind).sort(), CONNECTORS.map(({ kind }) => kind).sort());
    for (const { name, kind, homes, quotes, priced, synchronised } of costs) {
      assert.deepEqual([homes, quotes], [3, 2]);
      for (const { calls, bare, connector } of [priced, synchronised]) {
        assert.ok(connector > 0, name);
        // An imported file is read from the disk.
        assert.equal(calls > 0, kind !== 'imported', name);
        assert.equal(bare !== null && bare > 0, calls > 0, name);
      }
    }
  });

  it('reports each kind of work in a line, with the ratio to the bare calls', () => {
    const priced = { calls: 5, bytes: 19_552, connector: 59.16, bare: 31.08, spread: [1.8, 2.56] } as const;
    const synchronised = { calls: 0, bytes: 0, connector: 2250.4, bare: null, spread: null };
    const cost = { kind: 'open', name: 'Open protocol', homes: 200, quotes: 100, priced, synchronised };
    assert.deepEqual(reportConnector(cost).split('\n').slice(1), [
      'Open protocol (open), µs of processor for each property',
      '  100 priced           59 µs, bare calls     31 µs, ratio 1.9 (single slices 1.8 to 2.6); 5 calls, 20 kB',
      '  200 synchronised  2,250 µs, nothing is called',
    ]);
  });
});
