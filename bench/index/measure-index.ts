import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrandId, Network, PlaceId } from '../../src/catalogue/catalogue.ts';
import type { StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { BenchInventory } from '../inventory/bench-inventory.ts';
import { completeQuestions, partialQuestions } from '../inventory/questions.ts';
import { createSeededRandom } from '../inventory/seeded-random.ts';
import { type AskedIndex, STEPS, type Step } from './ask.ts';
import { buildIndex } from './build-index.ts';
import { type QuestionTimes, timeQuestions } from './time-questions.ts';
import { type StartTimes, timeStarts } from './time-starts.ts';

const AREAS = ['place', 'country', 'network'] as const;
/** The biggest place, the country around it, and everything. */
export type Area = (typeof AREAS)[number];

/** Over all brands, and of the largest one. */
export type ScopedTimes = { readonly allBrands: QuestionTimes; readonly oneBrand: QuestionTimes };

export type IndexCosts = {
  readonly inventory: string;
  readonly homes: number;
  readonly biggestPlace: number;
  readonly bytesPerHome: number;
  readonly residentPerHome: number;
  readonly buildUsPerHome: number;
  readonly fullQuestion: Readonly<Partial<Record<'place' | 'country', ScopedTimes>>>;
  readonly steps: readonly ({ readonly step: Step; readonly area: Area } & ScopedTimes)[];
  readonly replaced: QuestionTimes;
  readonly rollOverMs: number;
  readonly snapshot: { readonly bytes: number; readonly writeMs: number; readonly readMs: number };
  readonly starts: StartTimes;
};

export type MeasuredIndex = {
  readonly seed: number;
  readonly questions: number;
  readonly passes: number;
  /** For each kind of question. */
  readonly maxMs: number;
  /** For how long other questions of the kind are asked before. */
  readonly warmUpMs: number;
};

const REPLACED = 7;

export async function measureIndex(inventory: BenchInventory, work: MeasuredIndex): Promise<IndexCosts> {
  const { index, ...built } = buildIndex(inventory);
  const [biggest] = inventory.cities;
  if (!biggest) throw new Error(`${inventory.name} has no place`);
  const country = countryOf(biggest.place, inventory.network);
  const placeOf: Readonly<Record<Area, PlaceId | null>> = { place: biggest.place, country, network: null };
  const asked = { seed: work.seed, today: inventory.today, count: work.questions };
  const askedBefore = { ...asked, seed: work.seed + 1 };

  function fullQuestion(place: PlaceId): ScopedTimes {
    const times = (brand: BrandId | null) =>
      timeQuestions(completeQuestions(asked, { place, brand }), index.fullQuestion, {
        ...work,
        others: completeQuestions(askedBefore, { place, brand }),
      });
    return { allBrands: times(null), oneBrand: times(inventory.largestBrand) };
  }

  function stepTimes(step: Step, area: Area): ScopedTimes {
    const times = (brand: BrandId | null) => {
      // Without an arrival there is no departure to offer.
      const usable = (questions: readonly StayCriteria[]) =>
        step === 'check-outs' ? questions.filter(({ checkIn }) => checkIn !== null) : questions;
      const scope = { place: placeOf[area], brand };
      const others = usable(partialQuestions(askedBefore, scope));
      const ask = (criteria: StayCriteria) => index.step(step, criteria);
      return timeQuestions(usable(partialQuestions(asked, scope)), ask, { ...work, others });
    };
    return { allBrands: times(null), oneBrand: times(inventory.largestBrand) };
  }

  const fullQuestions = {
    place: fullQuestion(biggest.place),
    ...(country === null ? {} : { country: fullQuestion(country) }),
  };
  const steps = AREAS.filter((area) => area !== 'country' || country !== null).flatMap((area) =>
    // Destinations are those of the whole network, wherever the traveller looks now.
    STEPS.filter((step) => step !== 'destinations' || area === 'network').map((step) => ({
      step,
      area,
      ...stepTimes(step, area),
    })),
  );
  return {
    inventory: inventory.name,
    homes: inventory.size,
    biggestPlace: biggest.homes,
    ...built,
    fullQuestion: fullQuestions,
    steps,
    replaced: timeReplacing(index, inventory, work),
    rollOverMs: await index.rollOver(),
    snapshot: await timeSnapshot(index),
    starts: await timeStarts(inventory),
  };
}

/** A calendar is replaced once: the second time, nothing would change. */
function timeReplacing(index: AskedIndex, inventory: BenchInventory, work: MeasuredIndex): QuestionTimes {
  const random = createSeededRandom(work.seed, REPLACED);
  const homes = Array.from({ length: work.questions }, () =>
    inventory.changedHome(random.below(inventory.size)),
  );
  // Building the index has compiled it.
  return timeQuestions(homes, index.replace, { ...work, passes: 1, others: [] });
}

async function timeSnapshot(index: AskedIndex): Promise<IndexCosts['snapshot']> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  try {
    const startedAt = performance.now();
    const bytes = await index.writeSnapshot(directory);
    const writtenAt = performance.now();
    await index.readSnapshot(directory);
    return { bytes, writeMs: writtenAt - startedAt, readMs: performance.now() - writtenAt };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Null for a place that is in none. */
function countryOf(place: PlaceId, network: Network): PlaceId | null {
  let outermost = place;
  for (let parent = network.places.get(place)?.parent; parent; ) {
    outermost = parent;
    parent = network.places.get(parent)?.parent;
  }
  return outermost === place ? null : outermost;
}
