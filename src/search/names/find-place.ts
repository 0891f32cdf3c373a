import type { Network, PlaceId } from '../../catalogue/catalogue.ts';
import type { NamedPlace } from './place-names.ts';
import { placesMeant } from './places-meant.ts';

const MAX_CANDIDATES = 10;

export type PlaceLookup =
  | { readonly kind: 'found'; readonly place: PlaceId }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] }
  | { readonly kind: 'unknown' };

/**
 * Finds the place that an identifier, a name or an alias stands for. Places on offer come before all others of the network;
 * one of these is found too when no place on offer has the name, so that the caller can say why it is not on offer.
 * Candidates are in the order of `offered`, which is asked for only when a name has to be looked up.
 */
export function findPlace(text: string, network: Network, offered: () => readonly PlaceId[]): PlaceLookup {
  if (network.places.has(text)) return { kind: 'found', place: text };
  const meant = new Map(placesMeant(text, network).map((one) => [one.place, one]));
  if (meant.size === 0) return { kind: 'unknown' };
  const onOffer = offered()
    .map((place) => meant.get(place))
    .filter((one) => one !== undefined);
  return choose(onOffer.length > 0 ? onOffer : [...meant.values()]);
}

/** The only place, or the only one whose own name it is. */
function choose(places: readonly NamedPlace[]): PlaceLookup {
  const owners = places.filter(({ isOwnName }) => isOwnName);
  const [only, ...others] = owners.length > 0 ? owners : places;
  if (only && others.length === 0) return { kind: 'found', place: only.place };
  return { kind: 'ambiguous', candidates: places.slice(0, MAX_CANDIDATES).map(({ place }) => place) };
}
