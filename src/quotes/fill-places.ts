import type { BrandId, PropertyId } from '../inventory/catalogue.ts';
import type { AskOperator, OperatorAnswer } from './ask-operator.ts';
import type { UnavailableReason } from './booking-system.ts';
import type { BrandCoverage, Collected, CollectedQuote, QuoteSearch } from './quote-search.ts';

export type Operator = { readonly ask: AskOperator; readonly batchSize: number };

/** What has become of a candidate. A lost one was refused, has failed, or is of a brand that has. */
type CandidateState = 'waiting' | 'asked' | 'quoted' | 'lost';

type PropertyFate = 'quoted' | 'unavailable' | 'failed';

/** A candidate that is asked for, with its place in the order of candidates. */
type Asked = {
  readonly position: number;
  readonly property: PropertyId;
  readonly brand: BrandId;
  readonly reference: string;
};

/**
 * Prices the first `maxOptions` candidates that can be had. A candidate is needed while fewer than `maxOptions` of those before
 * it are asked for or quoted, so one that is lost makes the next one needed at once, without waiting for the other calls.
 * Operators that price many in one call are also asked for a surplus at first, `maxQuotes` in all: the order of the
 * candidates is only indicative, and a cheaper one may come later in it.
 */
export function fillPlaces({
  search,
  operators,
  maxOptions,
  maxQuotes,
  signal,
}: {
  readonly search: QuoteSearch;
  readonly operators: ReadonlyMap<BrandId, Operator>;
  readonly maxOptions: number;
  readonly maxQuotes: number;
  readonly signal: AbortSignal;
}): Promise<Collected> {
  const { candidates, checkIn, checkOut, guests, currency } = search;
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const states: CandidateState[] = candidates.map(() => 'waiting');
  const quoted: { readonly position: number; readonly quote: CollectedQuote }[] = [];
  const refused: { property: PropertyId; reason: UnavailableReason }[] = [];
  const coverage = new Map<BrandId, Record<PropertyFate, number>>();
  const failedBrands = new Set<BrandId>();
  let callsInFlight = 0;

  /** A property counts as asked once its fate is known. */
  function settle(position: number, brand: BrandId, fate: PropertyFate): void {
    states[position] = fate === 'quoted' ? 'quoted' : 'lost';
    const counts = coverage.get(brand) ?? { quoted: 0, unavailable: 0, failed: 0 };
    coverage.set(brand, counts);
    counts[fate] += 1;
  }

  function refuse(position: number, property: PropertyId, brand: BrandId, reason: UnavailableReason): void {
    refused.push({ property, reason });
    settle(position, brand, 'unavailable');
  }

  /** Undefined for a candidate that can no longer be asked for. */
  function take(position: number): Asked | undefined {
    const candidate = candidates[position];
    if (!candidate || states[position] !== 'waiting') return undefined;
    const { brand } = candidate;
    if (failedBrands.has(brand)) {
      states[position] = 'lost';
      return undefined;
    }
    const property = search.property(candidate.property);
    if (!property) {
      // It left its operator's catalogue while this search was running.
      refuse(position, candidate.property, brand, 'unknown_property');
      return undefined;
    }
    states[position] = 'asked';
    return { position, property: property.id, brand, reference: property.reference };
  }

  function takeNeeded(): readonly Asked[] {
    const taken: Asked[] = [];
    let filled = 0;
    for (let position = 0; position < states.length && filled < maxOptions; position += 1) {
      const needed = take(position);
      if (needed) taken.push(needed);
      if (states[position] === 'asked' || states[position] === 'quoted') filled += 1;
    }
    return taken;
  }

  function takeSurplus(places: number): readonly Asked[] {
    const taken: Asked[] = [];
    for (let position = 0; position < states.length && taken.length < places; position += 1) {
      const operator = operators.get(candidates[position]?.brand ?? '');
      const surplus = operator && operator.batchSize > 1 ? take(position) : undefined;
      if (surplus) taken.push(surplus);
    }
    return taken;
  }

  /** The surplus goes with the first calls only, so that it does not prolong a search. */
  function askFirst(): void {
    if (!signal.aborted) {
      const needed = takeNeeded();
      askFor([...needed, ...takeSurplus(maxQuotes - needed.length)]);
    }
    askForNeeded();
  }

  function askForNeeded(): void {
    while (!signal.aborted) {
      const needed = takeNeeded();
      if (needed.length === 0) break;
      askFor(needed);
    }
    if (callsInFlight === 0) finish();
  }

  function askFor(taken: readonly Asked[]): void {
    for (const [brand, ofBrand] of Map.groupBy(taken, (asked) => asked.brand)) {
      const operator = operators.get(brand);
      if (operator) sendBatches(brand, operator, ofBrand);
      else failBrand(brand, ofBrand);
    }
  }

  function failBrand(brand: BrandId, asked: readonly Asked[]): void {
    failedBrands.add(brand);
    for (const { position } of asked) settle(position, brand, 'failed');
  }

  function sendBatches(brand: BrandId, { ask, batchSize }: Operator, ofBrand: readonly Asked[]): void {
    for (let start = 0; start < ofBrand.length; start += batchSize) {
      const batch = ofBrand.slice(start, start + batchSize);
      const references = batch.map(({ reference }) => reference);
      callsInFlight += 1;
      ask({ references, checkIn, checkOut, guests, currency }, signal, search.caller)
        .then((answer) => {
          callsInFlight -= 1;
          if (answer.failure === null) takeAnswer(brand, batch, answer);
          else failBrand(brand, batch);
          askForNeeded();
        })
        .catch(reject);
    }
  }

  function takeAnswer(brand: BrandId, batch: readonly Asked[], { verdicts }: OperatorAnswer): void {
    for (const { property, reference, position } of batch) {
      const verdict = verdicts.get(reference);
      if (verdict?.kind === 'quoted') {
        const { kind: _quoted, ...quote } = verdict;
        quoted.push({ position, quote: { property, brand, ...quote } });
        settle(position, brand, 'quoted');
      } else if (verdict?.kind === 'unavailable') refuse(position, property, brand, verdict.reason);
      else settle(position, brand, 'failed');
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

  askFirst();
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
