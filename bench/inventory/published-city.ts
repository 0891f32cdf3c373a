import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { emptyCalendar, HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Place } from '../../src/catalogue/catalogue.ts';
import { readImport } from '../../src/connectors/imported/catalogue.ts';
import { calendarOfPeriods } from '../../src/connectors/shared/calendars/night-periods.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import type { Day } from '../../src/stay/day.ts';
import { sampleBrand } from '../../test/support/sample-network.ts';
import { cityOfFile, convertCity } from '../../tools/inside-airbnb/convert.ts';
import { type BenchHome, type BenchInventory, nightsAsked } from './bench-inventory.ts';

const SOURCE = 'published';
const TIME_ZONE = 'America/New_York';
const CURRENCY = 'USD';
const HOSTS: readonly string[] = ['www.airbnb.com', 'a0.muscache.com'];
const MAX_BYTES = 2 ** 31;

/**
 * The homes of a city from the two files that are published for it, `*listings.csv.gz` and `*calendar.csv.gz`, with the first
 * day of the calendars moved to today.
 */
export async function readPublishedCity(folder: string, today: Day): Promise<BenchInventory> {
  const [listings, calendar] = ['listings', 'calendar'].map(
    (name) => globSync(join(folder, `*${name}.csv.gz`))[0],
  );
  if (listings === undefined || calendar === undefined) {
    throw new Error(`${folder} does not hold the listings and the calendar of a city`);
  }
  const temporary = await mkdtemp(join(tmpdir(), 'staywire-city-'));
  try {
    const output = join(temporary, 'city.jsonl');
    const name = cityOfFile(listings);
    const onFault = () => undefined;
    const lines = convertCity({ listings, calendar, currency: CURRENCY, from: today, onFault });
    await writeFile(output, Readable.from(withBreaks(lines)));
    const city = { id: name, name, kind: 'city', currency: CURRENCY, timeZone: TIME_ZONE } as const;
    const place: Place = { ...city, aliases: [], parent: null };
    const places = new Map([[place.id, place]]);
    const { homes } = await readImport({
      path: output,
      context: { brand: SOURCE, hosts: HOSTS, placeAliases: new Map() },
      intake: createInlineIntake({ places }),
      budget: { listings: Number.MAX_SAFE_INTEGER, bytes: MAX_BYTES },
      lane: 'background',
      signal: new AbortController().signal,
    });
    const horizon = nightsAsked(today, HORIZON_NIGHTS);
    const all = [...homes.values()].map(
      ({ property, calendar: nights }): BenchHome => ({
        home: property,
        calendar:
          nights.kind === 'valid'
            ? calendarOfPeriods(nights.value, horizon)
            : emptyCalendar(horizon.from, horizon.nights),
      }),
    );
    return {
      name: `${all.length.toLocaleString('en')} homes of a real city`,
      network: { brands: new Map([[SOURCE, sampleBrand(SOURCE)]]), places },
      today,
      size: all.length,
      cities: [{ place: place.id, homes: all.length }],
      largestBrand: SOURCE,
      homes: () => all,
      homesIn: (id) => (id === place.id ? all : []),
      changedHome: (number) => changedHome(all, number),
    };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** With the calendar of its neighbour. */
function changedHome(all: readonly BenchHome[], number: number): BenchHome {
  const [home, neighbour] = [all[number], all[(number + 1) % all.length]];
  if (!home || !neighbour) throw new RangeError(`there is no home ${number}`);
  return { home: home.home, calendar: neighbour.calendar };
}
