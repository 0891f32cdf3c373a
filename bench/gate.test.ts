import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBenchReport } from './document/bench-report.ts';
import { addGate } from './gate.ts';

it('the cost of the gate has a figure for each way, beside its baseline', async () => {
  const report = createBenchReport(new URL('..', import.meta.url));
  await addGate(report, { isQuick: true });
  const table = report.table();
  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512']) {
    for (const use of ['first use', 'used again', 'with a nonce']) {
      assert.match(table, new RegExp(`^signature, ${algorithm}, ${use} +[\\d.,]+ (?:µs|ms) .* [\\d.]+`, 'm'));
    }
  }
  for (const way of [
    'ranges, a new caller',
    'ranges, a caller that is known',
    'network, a caller that is known',
    'a stranger, a new one',
  ]) {
    assert.match(table, new RegExp(`^${way} +[\\d.,]+ (?:µs|ms)`, 'm'));
  }
});
