import assert from 'node:assert/strict';
import type { OperatorQuote, QuoteOutcome } from '../../src/quotes/booking-system.ts';
import type { Emulator } from '../emulators/emulator.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

/** The quote, which is what the guest pays, to the cent; where the vendor gives lines, they add up to it. */
export function assertExactPrice(
  outcome: QuoteOutcome | undefined,
  truth: ReturnType<Emulator['priceOf']>,
  { hasLines }: Pick<EmulatedVendorSystem, 'hasLines'>,
): OperatorQuote {
  assert.ok(outcome?.kind === 'quoted' && 'total' in truth, JSON.stringify([outcome, truth]));
  const { quote } = outcome;
  assert.deepEqual([quote.total, quote.currency], [truth.total, truth.currency]);
  const sum = quote.lines.reduce((partial, { amount }) => partial + amount, 0);
  assert.equal(sum, hasLines ? truth.total : 0, JSON.stringify(quote.lines));
  assert.equal(quote.lines.length > 0, hasLines);
  return quote;
}
