import type { Network, Place, PlaceId } from '../../catalogue/catalogue.ts';
import { foldIntoOneWord, foldText } from './spelling.ts';

const MAX_CANDIDATES = 10;

type PlaceLookup =
  | { readonly kind: 'found'; readonly place: PlaceId }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] }
  | { readonly kind: 'unknown' };

/**
 * Finds the place of an identifier, a name or an alias. Places on offer come first; another place of the network is found when no place on
 * offer has the name, so that the answer can say why it is not on offer. Candidates are in the order of `offered`, which is called only to
 * look up a name.
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

/** The only place, or the only one with this as its own name. */
function choose(places: readonly NamedPlace[]): PlaceLookup {
  const owners = places.filter(({ isOwnName }) => isOwnName);
  const [only, ...others] = owners.length > 0 ? owners : places;
  if (only && others.length === 0) return { kind: 'found', place: only.place };
  return { kind: 'ambiguous', candidates: places.slice(0, MAX_CANDIDATES).map(({ place }) => place) };
}

// A city, a region and a country, each with a name of the greatest length, and what separates them.
const MAX_PLACE_TEXT_LENGTH = 400;
const MAX_LEVELS = 3;
/** A place, its district, its region and its country. A longer text names no place. */
const MAX_PARTS = 4;
const MAX_WORDS_IN_NAME = 12;
const SEPARATOR = /[,;/|()[\]\n，；、（）]|\s[-–—]\s/;

/** The places that a text names, alone or followed by the area around them: "Lisbon", "Lisbon, Portugal", "Lisbon (Portugal)". */
export function placesMeant(text: string, network: Network): readonly NamedPlace[] {
  if (text.length > MAX_PLACE_TEXT_LENGTH) return [];
  // A name may hold a separator itself.
  const whole = placeNamesOf(network).called(text);
  if (whole.length > 0) return whole;
  const [first = '', ...rest] = partsOf(text);
  if (rest.length >= MAX_PARTS) return [];
  return rest
    .map((part) => placesInWords(part, network))
    .reduce(
      (places, around) => places.filter(({ place }) => liesWithinAny(place, around, network)),
      placesInWords(first, network),
    );
}

/** The parts of a text between its separators, without blank ones. */
export function partsOf(text: string): readonly string[] {
  const parts = text.slice(0, MAX_PLACE_TEXT_LENGTH).split(SEPARATOR);
  return parts
    .map((part) => part.trim())
    .filter((part) => foldText(part) !== '')
    .slice(0, MAX_PARTS + 1);
}

export function liesWithin(place: PlaceId, around: PlaceId, network: Network): boolean {
  let parent = network.places.get(place)?.parent ?? null;
  while (parent !== null && parent !== around) parent = network.places.get(parent)?.parent ?? null;
  return parent !== null;
}

function liesWithinAny(place: PlaceId, around: readonly NamedPlace[], network: Network): boolean {
  return around.some((one) => liesWithin(place, one.place, network));
}

/**
 * A name, or a name followed by the area around the place without a comma: "Lisbon Portugal". Tries without an article last, because "LA"
 * is one: "LA California" is the city.
 */
function placesInWords(text: string, network: Network): readonly NamedPlace[] {
  const places = placesAtTheStart(text, network, MAX_LEVELS);
  const bare = withoutArticle(text);
  return places.length > 0 || bare === text ? places : placesAtTheStart(bare, network, MAX_LEVELS);
}

function placesAtTheStart(text: string, network: Network, levels: number): readonly NamedPlace[] {
  const { called } = placeNamesOf(network);
  const whole = called(text);
  if (whole.length > 0 || levels === 1) return whole;
  const words = text.split(/\s+/);
  for (let end = Math.min(words.length - 1, MAX_WORDS_IN_NAME); end > 0; end -= 1) {
    const places = called(words.slice(0, end).join(' '));
    if (places.length === 0) continue;
    const rest = words.slice(end).join(' ');
    const around = [rest, withoutArticle(rest)].flatMap((area) =>
      placesAtTheStart(area, network, levels - 1),
    );
    const inside = places.filter(({ place }) => liesWithinAny(place, around, network));
    if (inside.length > 0) return inside;
  }
  return [];
}

/** A place with a given name: its own name, an alias, its identifier with or without the country, or a name without its article. */
type NamedPlace = { readonly place: PlaceId; readonly isOwnName: boolean };

type PlaceNames = {
  /** The places with exactly this folded name, in the order of the network. */
  called(name: string): readonly NamedPlace[];
  /** The name and the aliases of a place, with and without their articles. */
  namesOf(place: PlaceId): readonly FoldedName[];
};

/** "new york" and "newyork". */
export type FoldedName = { readonly words: string; readonly joined: string };

// An article ends at a blank, a hyphen or its apostrophe, so that "Lagos" and "L.A." keep all their letters.
const ARTICLE =
  /^\s*(?:(?:the|la|le|les|el|els|los|las|il|lo|gli|o|a|os|as|der|die|das|de|het)[\s-]+|l\s?['’ʼ‘`´]\s?)/iu;

/** At the end of an identifier: people write "Riviera" for `riviera-fr`. */
const COUNTRY_CODE = /-[a-z]{2}$/;
const namesByNetwork = new WeakMap<Network, PlaceNames>();

/** The names of a network never change, so they are folded only once. */
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

/** The same text if it has no article; blank if it is only an article. */
export function withoutArticle(name: string): string {
  return name.replace(ARTICLE, '');
}
