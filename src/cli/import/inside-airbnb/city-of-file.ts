import { basename } from 'node:path';

const MAX_ID_LENGTH = 64;

/** `new-york-city-listings.csv.gz` is about New York City. */
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
