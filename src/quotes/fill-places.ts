import type { BrandId, Property, PropertyId } from '../inventory/catalogue.ts';
import type { AskOperator, OperatorAnswer } from './ask-operator.ts';
import type { UnavailableReason } from './booking-system.ts';
import type { BrandCoverage, Collected, CollectedQuote, QuoteSearch } from './quote-search.ts';

export type Operator = { readonly ask: AskOperator; readonly batchSize: number };

type PropertyFate = 'quoted' | 'unavailable' | 'failed';

/** A candidate that was asked for, with its place in the order of candidates. */
type Asked = { readonly property: Property; readonly position: number };

/**
 * Fills `maxOptions` places. A place is open, asked for, or taken. Only open places are asked for, so there is never a
 * surplus, and a place that opens again is asked for at once, without waiting for the other calls.
 */
export function fillPlaces({
  search,
  operators,
  maxOptions,
  signal,
}: {
  readonly search: QuoteSearch;
  readonly operators: ReadonlyMap<BrandId, Operator>;
  readonly maxOptions: number;
  readonly signal: AbortSignal;
}): Promise<Collected> {
  const { candidates, checkIn, checkOut, guests, currency } = search;
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const quoted: { readonly position: number; readonly quote: CollectedQuote }[] = [];
  const refused: { property: PropertyId; reason: UnavailableReason }[] = [];
  const coverage = new Map<BrandId, Record<PropertyFate, number>>();
  const failedBrands = new Set<BrandId>();
  let nextPosition = 0;
  let placesAskedFor = 0;

  /** A property counts as asked once its fate is known. */
  function count(brand: BrandId, fate: PropertyFate): void {
    const counts = coverage.get(brand) ?? { quoted: 0, unavailable: 0, failed: 0 };
    coverage.set(brand, counts);
    counts[fate] += 1;
  }

  function refuse(property: PropertyId, brand: BrandId, reason: UnavailableReason): void {
    refused.push({ property, reason });
    count(brand, 'unavailable');
  }

  function takeCandidates(places: number): ReadonlyMap<BrandId, Asked[]> {
    const taken = new Map<BrandId, Asked[]>();
    for (let open = places; open > 0 && nextPosition < candidates.length; nextPosition += 1) {
      const candidate = candidates[nextPosition];
      if (!candidate || failedBrands.has(candidate.brand)) continue;
      const property = search.property(candidate.property);
      if (!property) {
        // It left its operator's catalogue while this search was running.
        refuse(candidate.property, candidate.brand, 'unknown_property');
        continue;
      }
      const ofBrand = taken.get(candidate.brand) ?? [];
      ofBrand.push({ property, position: nextPosition });
      taken.set(candidate.brand, ofBrand);
      open -= 1;
    }
    return taken;
  }

  function fillOpenPlaces(): void {
    while (!signal.aborted) {
      const taken = takeCandidates(maxOptions - quoted.length - placesAskedFor);
      if (taken.size === 0) break;
      for (const [brand, ofBrand] of taken) {
        const operator = operators.get(brand);
        if (operator) sendBatches(brand, operator, ofBrand);
        else failBrand(brand, ofBrand);
      }
    }
    if (placesAskedFor === 0) finish();
  }

  function failBrand(brand: BrandId, asked: readonly Asked[]): void {
    failedBrands.add(brand);
    for (const _ of asked) count(brand, 'failed');
  }

  function sendBatches(brand: BrandId, { ask, batchSize }: Operator, ofBrand: readonly Asked[]): void {
    for (let start = 0; start < ofBrand.length; start += batchSize) {
      const batch = ofBrand.slice(start, start + batchSize);
      const references = batch.map(({ property }) => property.reference);
      placesAskedFor += batch.length;
      ask({ references, checkIn, checkOut, guests, currency }, signal)
        .then((answer) => {
          placesAskedFor -= batch.length;
          if (answer.failure === null) take(brand, batch, answer);
          else failBrand(brand, batch);
          fillOpenPlaces();
        })
        .catch(reject);
    }
  }

  function take(brand: BrandId, batch: readonly Asked[], { verdicts, retrievedAt }: OperatorAnswer): void {
    for (const { property, position } of batch) {
      const verdict = verdicts.get(property.reference);
      if (verdict?.kind === 'quoted') {
        const { total, lines, linesAvailable, heldUntil } = verdict;
        const quote = { property: property.id, brand, total, lines, linesAvailable, heldUntil, retrievedAt };
        quoted.push({ position, quote });
        count(brand, 'quoted');
      } else if (verdict?.kind === 'unavailable') refuse(property.id, brand, verdict.reason);
      else count(brand, 'failed');
    }
  }

  function finish(): void {
    resolve({
      quoted: quoted.sort((a, b) => a.position - b.position).map(({ quote }) => quote),
      refused,
      coverage: brandCoverage(coverage),
      everyOperatorFailed: candidates.length > 0 && quoted.length === 0 && refused.length === 0,
    });
  }

  fillOpenPlaces();
  return promise;
}

/** By name, whichever operator answered first. */
function brandCoverage(
  coverage: ReadonlyMap<BrandId, Record<PropertyFate, number>>,
): readonly BrandCoverage[] {
  return Array.from(coverage, ([brand, { quoted, unavailable, failed }]) => ({
    brand,
    asked: quoted + unavailable + failed,
    quoted,
    unavailable,
    failed,
  })).sort((a, b) => (a.brand < b.brand ? -1 : 1));
}
