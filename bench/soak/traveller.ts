import { type Day, formatDay } from '../../src/stay/day.ts';
import type { Client } from '../client.ts';
import { createSeededRandom } from '../inventory/seeded-random.ts';
import type { SyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { resultPath, searchPath } from '../sessions.ts';

/** A request took so long. `search` completes one and waits for the operators, `answer` is any other. */
export type Answered = (kind: 'answer' | 'search', milliseconds: number) => void;

export type Stay = {
  readonly destination: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
};

const TRAVELLERS = 7;
const BIGGEST_CITIES = 40;
/** The booking systems price in two decimals, at what a stay may cost in these. */
const CURRENCIES = ['EUR', 'USD', 'GBP'];

/** The stays that travellers ask for, one after the other, in cities where there is always something free. */
export function createStays({
  inventory,
  seed,
}: {
  readonly inventory: SyntheticInventory;
  readonly seed: number;
}): () => Stay {
  const random = createSeededRandom(seed, TRAVELLERS);
  const cities = inventory.cities
    .slice(0, BIGGEST_CITIES)
    .filter(({ place }) => CURRENCIES.includes(inventory.network.places.get(place)?.currency ?? ''));
  return () => {
    const checkIn = inventory.today + 20 + random.below(120);
    const { place } = random.pick(cities);
    return { destination: place, checkIn, checkOut: checkIn + 3 };
  };
}

/** Opens a session, answers question by question, and reads the result twice. Rejects at the first answer that is not as it should be. */
export async function travel(
  client: Client,
  { destination, checkIn, checkOut }: Stay,
  answered: Answered,
): Promise<void> {
  const day = formatDay(checkIn);
  const opening = await client.post('/ai/v1/auth', {});
  answered('answer', opening.milliseconds);
  const token = String(JSON.parse(opening.text).session);
  const steps = [{}, { destination }, { check_in_month: day.slice(0, 7) }, { check_in_day: day }];
  for (const body of [...steps, { check_out: formatDay(checkOut) }]) {
    const { text, milliseconds } = await client.post(searchPath(token), body);
    mustContain(text, '"error":"incomplete_payload"');
    answered('answer', milliseconds);
  }
  const search = await client.post(searchPath(token), { guests: '2' });
  mustContain(search.text, '"comparison_set":');
  answered('search', search.milliseconds);
  for (let reading = 0; reading < 2; reading += 1) {
    const { text, milliseconds } = await client.get(resultPath(token));
    mustContain(text, '"comparison_set":');
    answered('answer', milliseconds);
  }
}

function mustContain(text: string, expected: string): void {
  if (!text.includes(expected)) throw new Error(`not ${expected}: ${text.slice(0, 500)}`);
}
