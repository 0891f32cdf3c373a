import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BookingSystem } from '../../../quotes/booking-system.ts';
import { withPatientReads } from './vendor-connector.ts';

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;

it('a system with an account may be silent for hours, from the start and after each sign of life', async () => {
  const limits = { batchSize: 1, concurrency: 1, timeoutMs: 1000 };
  const reading: BookingSystem = {
    brand: 'casas',
    limits,
    async catalogue(_, stillReading) {
      stillReading?.();
      return { properties: [], rejections: [] };
    },
    async calendars(_references, _horizon, _signal, stillReading) {
      stillReading?.();
      return new Map();
    },
    quote: async () => [],
    close: async () => undefined,
  };
  const system = withPatientReads(reading);
  const horizon = { from: 20_000, nights: 1 };
  for (const read of [
    (stillReading?: (quietMs?: number) => void) => system.catalogue(signal, stillReading),
    (stillReading?: (quietMs?: number) => void) => system.calendars([], horizon, signal, stillReading),
  ]) {
    const allowed: number[] = [];
    await read((quietMs = 0) => allowed.push(quietMs));
    assert.equal(allowed.length, 2);
    assert.ok(
      allowed.every((quietMs) => quietMs > HOUR_MS),
      String(allowed),
    );
    await read();
  }
  assert.deepEqual(system.limits, { ...limits, keepsBudget: true });
});
