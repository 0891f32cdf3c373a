import type { Network, PlaceId } from '../inventory/catalogue.ts';

const MAX_CANDIDATES = 10;

export type PlaceLookup =
  | { readonly kind: 'found'; readonly place: PlaceId }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] };

/**
 * Accepts the name of a place when exactly one place on offer has it. Otherwise lists candidates, those with most
 * properties first, which is the order of `offered`.
 */
export function findPlace(text: string, network: Network, offered: () => readonly PlaceId[]): PlaceLookup {
  if (network.places.has(text)) return { kind: 'found', place: text };
  const wanted = fold(text);
  const alike: PlaceId[] = [];
  const exact: PlaceId[] = [];
  for (const id of offered()) {
    const name = fold(network.places.get(id)?.name ?? '');
    if (name === wanted || fold(id) === wanted) exact.push(id);
    else if (wanted.length > 2 && (name.includes(wanted) || wanted.includes(name))) alike.push(id);
  }
  const [only, ...others] = exact;
  if (only !== undefined && others.length === 0) return { kind: 'found', place: only };
  return { kind: 'ambiguous', candidates: (exact.length > 0 ? exact : alike).slice(0, MAX_CANDIDATES) };
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
