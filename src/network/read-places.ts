import type { Place, PlaceId, PlaceKind } from '../catalogue/catalogue.ts';
import type { PointedFault } from '../parsing/reading.ts';
import { isTimeZone } from '../stay/time-zone.ts';
import type { PlaceEntry } from './network-file.ts';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

// Names are compared by these alone, so nobody could ask for a place by anything else.
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const PARENT_KINDS: Readonly<Record<PlaceKind, readonly PlaceKind[]>> = {
  city: ['region', 'country'],
  region: ['country'],
  country: [],
};

/** `entries` in the order of the file; null stands for an entry that the schema has already refused. */
export function readPlaces(
  entries: readonly (PlaceEntry | null)[],
  report: (fault: PointedFault) => void,
): ReadonlyMap<PlaceId, Place> {
  const places = new Map<PlaceId, Place>();
  for (const [index, entry] of entries.entries()) {
    if (!entry) continue;
    const fault = (member: string, message: string) =>
      report({ pointer: `/places/${index}/${member}`, message });
    if (places.has(entry.id)) fault('id', `${entry.id} is used twice`);
    if (!isTimeZone(entry.time_zone)) fault('time_zone', `${entry.time_zone} is not an IANA time zone`);
    if (!CURRENCIES.has(entry.currency)) fault('currency', `${entry.currency} is not an ISO 4217 currency`);
    for (const [position, alias] of (entry.aliases ?? []).entries()) {
      if (!LETTER_OR_DIGIT.test(alias)) fault(`aliases/${position}`, 'must hold a letter or a digit');
      else if (entry.aliases?.indexOf(alias) !== position)
        fault(`aliases/${position}`, `${alias} is listed twice`);
    }
    places.set(entry.id, {
      id: entry.id,
      name: entry.name,
      aliases: entry.aliases ?? [],
      kind: entry.kind,
      parent: entry.parent ?? null,
      timeZone: entry.time_zone,
      currency: entry.currency,
    });
  }
  for (const [index, entry] of entries.entries()) {
    if (!entry || entry.parent === undefined) continue;
    const fault = (member: string, message: string) =>
      report({ pointer: `/places/${index}/${member}`, message });
    const parent = places.get(entry.parent);
    if (!parent) {
      fault('parent', `${entry.parent} is not a place of this file`);
      continue;
    }
    if (isInCircle(entry.id, places)) fault('parent', `${entry.id} lies within itself`);
    else if (!PARENT_KINDS[entry.kind].includes(parent.kind)) {
      fault('parent', `a ${entry.kind} cannot lie in a ${parent.kind}`);
    }
    // A search is compared in the currency of its place: a city with another one could never be part of it.
    if (parent.currency !== entry.currency)
      fault('currency', `must be ${parent.currency}, like that of ${parent.id}`);
  }
  return places;
}

function isInCircle(start: PlaceId, places: ReadonlyMap<PlaceId, Place>): boolean {
  const seen = new Set<PlaceId>();
  for (let id = places.get(start)?.parent; id != null; id = places.get(id)?.parent) {
    if (id === start) return true;
    if (seen.has(id)) return false;
    seen.add(id);
  }
  return false;
}
