import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { mapConcurrently } from '../client.ts';
import { median } from '../median.ts';
import { processorTime } from '../parent-line.ts';
import { createBareClient, requestsOf } from './bare-calls.ts';
import type { RunningSystem } from './booking-systems.ts';
import { connectorTo, type SharedTools } from './connected-system.ts';
import { STAY } from './homes.ts';

export type MeasuredWork = {
  /** Homes to price in a round; all homes are synchronised. */
  readonly quotes: number;
  /** A round of prices is short: so many are one slice. */
  readonly pricingRounds: number;
  readonly pricingSlices: number;
  /** Each is a slice: it takes seconds. */
  readonly synchronisations: number;
  /** Of each kind, after the one whose requests are recorded. */
  readonly warmUpSlices: number;
};

/** What one kind of work costs, for each property: medians over the slices, in microseconds of processor time. */
export type WorkCost = {
  readonly calls: number;
  readonly bytes: number;
  readonly connector: number;
  /** Null when nothing is called. */
  readonly bare: number | null;
  /** Lowest and highest ratio of neighbouring slices. */
  readonly spread: readonly [number, number] | null;
};

export type ConnectorCost = {
  readonly kind: string;
  readonly name: string;
  /** How many were synchronised, and how many of them priced. */
  readonly homes: number;
  readonly quotes: number;
  readonly priced: WorkCost;
  readonly synchronised: WorkCost;
};

/** As many as the synchroniser reads at a time. */
const BATCHES_READ_AT_A_TIME = 2;
const MS_PER_DAY = 86_400_000;
const patient = new AbortController().signal;

/** In this process, which has to do nothing else meanwhile. */
export async function measureConnector(
  running: RunningSystem,
  work: MeasuredWork,
  tools: SharedTools,
): Promise<ConnectorCost> {
  const connect = connectorTo(running, tools);
  const bare = createBareClient();
  const priceable = running.references.slice(0, work.quotes);
  try {
    const { kind, name, references } = running;
    // Prices first: their account then has its token, which is no part of the comparison.
    const priced = await measurePrices();
    const synchronised = await measureSynchronisation();
    return { kind, name, homes: references.length, quotes: priceable.length, priced, synchronised };
  } finally {
    await bare.close();
  }

  /** Connecting is not counted: it happens once in the life of a service. */
  async function measureSynchronisation(): Promise<WorkCost> {
    const synchronise = async (): Promise<number> => {
      const connected = connect();
      try {
        return await processorTimeOf(connected.synchronise);
      } finally {
        await connected.close();
      }
    };
    return compare({
      work: synchronise,
      rounds: 1,
      slices: work.synchronisations,
      properties: running.references.length,
      atATime: BATCHES_READ_AT_A_TIME,
    });
  }

  async function measurePrices(): Promise<WorkCost> {
    const connected = connect();
    const { system } = connected;
    const price = () =>
      processorTimeOf(async () => {
        for (let round = 0; round < work.pricingRounds; round += 1) await priceAll(system, priceable);
      });
    try {
      await system.catalogue(patient);
      await priceAll(system, priceable);
      return await compare({
        work: price,
        rounds: work.pricingRounds,
        slices: work.pricingSlices,
        properties: priceable.length * work.pricingRounds,
        atATime: system.limits.concurrency,
      });
    } finally {
      await connected.close();
    }
  }

  async function compare(slice: {
    readonly work: () => Promise<number>;
    readonly rounds: number;
    readonly slices: number;
    readonly properties: number;
    readonly atATime: number;
  }): Promise<WorkCost> {
    const { work: run, rounds, slices, properties, atATime } = slice;
    const requests = await requestsOf(run);
    const bytes = await bare.send(requests, atATime);
    const replay = () => processorTimeOf(() => bare.send(requests, atATime));
    const ofConnector: number[] = [];
    const ofBare: number[] = [];
    for (let turn = 0; turn < work.warmUpSlices + slices; turn += 1) {
      const used = [await run(), await replay()] as const;
      if (turn < work.warmUpSlices) continue;
      ofConnector.push(used[0] / properties);
      ofBare.push(used[1] / properties);
    }
    const pairs = ofConnector.map((used, turn) => used / (ofBare[turn] ?? used));
    const isCalled = requests.length > 0;
    return {
      calls: requests.length / rounds,
      bytes: bytes / rounds,
      connector: median(ofConnector),
      bare: isCalled ? median(ofBare) : null,
      spread: isCalled ? [Math.min(...pairs), Math.max(...pairs)] : null,
    };
  }
}

/** In the connector's own batches, as many at a time as it allows. */
async function priceAll(system: BookingSystem, references: readonly string[]): Promise<void> {
  const { batchSize, concurrency } = system.limits;
  const batches = Array.from({ length: Math.ceil(references.length / batchSize) }, (_, at) =>
    references.slice(at * batchSize, (at + 1) * batchSize),
  );
  const checkIn = Math.floor(Date.now() / MS_PER_DAY) + STAY.arrivesIn;
  const stay = { checkIn, checkOut: checkIn + STAY.nights, guests: STAY.guests, currency: 'EUR' };
  const outcomes = await mapConcurrently(batches, concurrency, (batch) =>
    system.quote({ references: batch, ...stay }, patient),
  );
  const other = outcomes.flat().find(({ kind }) => kind !== 'quoted');
  if (other) throw new Error(`not a price: ${JSON.stringify(other)}`);
}

async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = processorTime();
  await work();
  return processorTime() - before;
}
