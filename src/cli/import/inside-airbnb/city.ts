import { basename } from 'node:path';
import { isCurrency } from '../../../stay/money.ts';
import { isTimeZone } from '../../../stay/time-zone.ts';
import type { CliTools } from '../../command.ts';
import { UsageFault } from '../../faults.ts';
import type { PlaceInFile } from '../../network-file.ts';
import { shellOption } from '../../shell-command.ts';
import { explained, openImportFiles } from '../import-job.ts';
import { tableRows } from './table.ts';

const MAX_ID_LENGTH = 64;

/** The city in the name of a file: `new-york-city-listings.csv.gz` gives New York City. */
export function cityOfFile(path: string): string {
  const words = basename(path)
    .replace(/\.(?:csv|gz)\b.*$/i, '')
    .replace(/[-_. ]*listings?[-_. ]*/i, ' ')
    .split(/[-_. ]+/)
    .filter((word) => /^\p{L}/u.test(word));
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Imported city';
}

export function placeIdOf(city: string): string {
  const id = city
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_ID_LENGTH);
  return id || 'imported-city';
}

export function assertCurrency(code: string | undefined): void {
  if (code === undefined || isCurrency(code)) return;
  throw new UsageFault(
    [`${shellOption('--currency', code)} is not a currency code.`],
    'use an ISO 4217 code such as EUR',
  );
}

/** The value of an option or of the network file. An existing place is not changed, so the two have to agree. */
export function agreed(
  option: string,
  given: string | undefined,
  place: PlaceInFile | undefined,
  member: 'currency' | 'time_zone',
): string | undefined {
  const known = place?.[member];
  if (typeof known !== 'string' || known === given) return given;
  if (place === undefined || given === undefined) return known;
  throw new UsageFault(
    [`${option} is ${given}, and ${place.id} has ${known} in the network file.`],
    `mend it there, or leave out ${option}`,
  );
}

/** The time zone from the option, from the network file, from the owner's answer, or guessed by the longitude of the homes. */
export async function timeZoneFor(
  listings: string,
  place: PlaceInFile | undefined,
  timeZone: string | undefined,
  { terminal, signal }: Pick<CliTools, 'terminal' | 'signal'>,
): Promise<{ readonly name: string; readonly isGuess: boolean }> {
  const known = agreed('--time-zone', timeZone, place, 'time_zone');
  if (known !== undefined && isTimeZone(known)) return { name: known, isGuess: false };
  const guess = terminal.canAsk ? undefined : await explained(() => findTimeZone(listings, signal));
  if (guess !== undefined) return { name: guess, isGuess: true };
  const name = await terminal.ask({
    message: 'Time zone of the city, such as America/New_York',
    option: '--time-zone',
    faultOf: (text) => (isTimeZone(text) ? undefined : 'That is not a time zone such as America/New_York.'),
  });
  return { name, isGuess: false };
}

const DEGREES_OF_AN_HOUR = 15;
const LONGITUDE = /^-?\d{1,3}(?:\.\d+)?$/;

/**
 * The nautical time zone of the first home with a longitude, without summer time; undefined when no home has one. Legal time follows
 * borders, so the guess can be some hours off.
 */
async function findTimeZone(listings: string, signal: AbortSignal): Promise<string | undefined> {
  const files = await openImportFiles([listings], { signal });
  for await (const rows of tableRows(files.chunksOf(listings), listings, [])) {
    for (const row of rows) {
      const longitude = row.fault ? '' : row.cell('longitude');
      if (LONGITUDE.test(longitude) && Math.abs(Number(longitude)) <= 180) return zoneAt(Number(longitude));
    }
  }
  return undefined;
}

/** The sign of these names is inverted: `Etc/GMT+5` is five hours behind UTC. */
function zoneAt(longitude: number): string {
  const hours = Math.round(longitude / DEGREES_OF_AN_HOUR);
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
