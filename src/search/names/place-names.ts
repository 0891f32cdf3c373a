import type { Network, Place, PlaceId } from '../../catalogue/catalogue.ts';
import { foldIntoOneWord, foldText } from './fold-text.ts';

/** A place that goes by a name: by its own, or by an alias, its identifier with or without the country, or a name without its article. */
export type NamedPlace = { readonly place: PlaceId; readonly isOwnName: boolean };

type PlaceNames = {
  /** The places that go by exactly this name once it is folded, in the order of the network. */
  called(name: string): readonly NamedPlace[];
  /** The name and the aliases of a place, with and without their articles. */
  namesOf(place: PlaceId): readonly FoldedName[];
};

/** "new york" and "newyork". */
export type FoldedName = { readonly words: string; readonly joined: string };

// An article ends at a blank, a hyphen or its apostrophe, so that "Lagos" and "L.A." keep all their letters.
const ARTICLE =
  /^\s*(?:(?:the|la|le|les|el|els|los|las|il|lo|gli|o|a|os|as|der|die|das|de|het)[\s-]+|l\s?['’ʼ‘`´]\s?)/iu;

/** At the end of an identifier: `riviera-fr` is what people call the Riviera. */
const COUNTRY_CODE = /-[a-z]{2}$/;

const namesByNetwork = new WeakMap<Network, PlaceNames>();

/** The names of a network never change, so they are folded once. */
export function placeNamesOf(network: Network): PlaceNames {
  const known = namesByNetwork.get(network);
  if (known) return known;
  const names = foldNames(network);
  namesByNetwork.set(network, names);
  return names;
}

function foldNames(network: Network): PlaceNames {
  const placesByName = new Map<string, NamedPlace[]>();
  const namesByPlace = new Map<PlaceId, readonly FoldedName[]>();

  function add(name: string, place: PlaceId, isOwnName: boolean): void {
    const key = foldIntoOneWord(name);
    const places = placesByName.get(key) ?? [];
    // The own name of a place comes first and is not replaced by an alias that folds to the same.
    if (key === '' || places.some((one) => one.place === place)) return;
    placesByName.set(key, [...places, { place, isOwnName }]);
  }

  for (const place of network.places.values()) {
    const names = withAndWithoutArticle(place);
    for (const name of names) add(name, place.id, name === place.name);
    for (const id of [place.id, place.id.replace(COUNTRY_CODE, '')]) add(id, place.id, false);
    namesByPlace.set(place.id, [...new Set(names.map(foldText))].map(foldedName));
  }

  return {
    called: (name) => placesByName.get(foldIntoOneWord(name)) ?? [],
    namesOf: (place) => namesByPlace.get(place) ?? [],
  };
}

export function foldedName(name: string): FoldedName {
  const words = foldText(name);
  return { words, joined: words.replaceAll(' ', '') };
}

function withAndWithoutArticle({ name, aliases }: Place): readonly string[] {
  const names = [name, ...aliases];
  return [...names, ...names.map(withoutArticle).filter((bare) => foldText(bare) !== '')];
}

/** The same text if it has no article; blank if it is nothing else. */
export function withoutArticle(name: string): string {
  return name.replace(ARTICLE, '');
}
