import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type BrandPrices, MAX_HOMES_REMEMBERED, MAX_SCOPES_REMEMBERED } from './learned-prices.ts';
import { samplesOf } from './price-samples.ts';

const Log = Type.Number({ minimum: -100, maximum: 100 });
const StoredSamples = Type.Array(
  Type.Tuple([Type.String(), Type.Array(Log, { minItems: 1, maxItems: 100 })]),
  { maxItems: MAX_SCOPES_REMEMBERED },
);
const StoredHome = Type.Tuple([
  Type.String(),
  Type.Number({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
const StoredPrices = Type.Object({
  version: Type.Literal(2),
  ratios: StoredSamples,
  nightly: StoredSamples,
  homes: Type.Array(StoredHome, { maxItems: MAX_HOMES_REMEMBERED }),
});
const storedPrices = Compile(StoredPrices);
/** More digits would say nothing about a price. */
const PRECISION = 1000;

export function writePrices({ ratios, nightly, homes }: BrandPrices): string {
  const written: Static<typeof StoredPrices> = {
    version: 2,
    ratios: Array.from(ratios, ([scope, { logs }]) => [scope, logs.map(rounded)]),
    nightly: Array.from(nightly, ([scope, { logs }]) => [scope, logs.map(rounded)]),
    homes: [...homes],
  };
  return JSON.stringify(written);
}

/** Undefined for a text that cannot be read: what is learned can be learned again. */
export function readPrices(text: string): BrandPrices | undefined {
  const stored = parsed(text);
  if (!storedPrices.Check(stored)) return undefined;
  return {
    ratios: new Map(stored.ratios.map(([scope, logs]) => [scope, samplesOf(logs)])),
    nightly: new Map(stored.nightly.map(([scope, logs]) => [scope, samplesOf(logs)])),
    homes: new Map(stored.homes),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rounded(log: number): number {
  return Math.round(log * PRECISION) / PRECISION;
}
