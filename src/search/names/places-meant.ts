import type { Network, PlaceId } from '../../catalogue/catalogue.ts';
import { foldText } from './fold-text.ts';
import { type NamedPlace, placeNamesOf, withoutArticle } from './place-names.ts';

// A city, a region and a country, each with a name of the greatest length, and what separates them.
const MAX_PLACE_TEXT_LENGTH = 400;
const MAX_LEVELS = 3;
/** A place, its district, its region and its country. A longer text names no place. */
const MAX_PARTS = 4;
const MAX_WORDS_IN_NAME = 12;
const SEPARATOR = /[,;/|()[\]\n，；、（）]|\s[-–—]\s/;

/** The places that a text names, alone or followed by what they lie in: "Lisbon", "Lisbon, Portugal", "Lisbon (Portugal)". */
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

/** What a text says between its commas and parentheses, blank parts left out. */
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
 * A name, or a name followed by what the place lies in without a comma: "Lisbon Portugal". An article is taken off last,
 * because "LA" is one: "LA California" is the city.
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
