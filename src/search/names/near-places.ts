import type { Network, PlaceId } from '../../catalogue/catalogue.ts';
import {
  type FoldedName,
  foldedName,
  liesWithin,
  partsOf,
  placeNamesOf,
  placesMeant,
  withoutArticle,
} from './find-place.ts';
import { editDistance, foldText, typosAllowed } from './spelling.ts';

const MAX_NEAR_PLACES = 5;
const MAX_WORDS_AT_THE_END = 6;

type SimilarPlace = { readonly place: PlaceId; readonly distance: number };

/**
 * The places on offer that a text may mean, nearest first: those with a similar name, then those around or within a place that the text
 * names. Equally near ones keep the order of `offered`.
 */
export function nearPlaces(text: string, network: Network, offered: readonly PlaceId[]): readonly PlaceId[] {
  const meant = placesMeant(text, network).map(({ place }) => place);
  const near =
    meant.length > 0 ? nearKnownPlaces(meant, network, offered) : nearUnknownPlace(text, network, offered);
  const onOffer = new Set(offered);
  return [...new Set(near)].filter((place) => onOffer.has(place)).slice(0, MAX_NEAR_PLACES);
}

function nearKnownPlaces(
  meant: readonly PlaceId[],
  network: Network,
  offered: readonly PlaceId[],
): readonly PlaceId[] {
  const names = meant.map((place) => network.places.get(place)?.name ?? '');
  // The text spells a known name correctly, so a name that differs by a few typos was not meant.
  const similar = names
    .flatMap((name) => similarPlaces(name, network, offered))
    .filter(({ distance }) => distance < NAME_DISTANCE.hasTypos);
  return [...idsOf(similar), ...meant.flatMap((place) => placesAround(place, network, offered))];
}

function nearUnknownPlace(text: string, network: Network, offered: readonly PlaceId[]): readonly PlaceId[] {
  const { name, around } = splitUnknown(text, network);
  const similar = similarPlaces(name, network, offered);
  // "Northern Spain" asks for Spain rather than for Northern Portugal.
  const isLikely = ({ place, distance }: SimilarPlace) =>
    around.length === 0 ||
    distance === NAME_DISTANCE.same ||
    around.some((area) => liesWithin(place, area, network));
  return [
    ...idsOf(similar.filter(isLikely)),
    ...around.flatMap((area) => [area, ...placesIn(area, network, offered)]),
    ...idsOf(similar),
  ];
}

/** Splits a text into the unknown name and the known places after it: "Aldeia Nova, Portugal" and "Aldeia Nova Portugal". */
function splitUnknown(
  text: string,
  network: Network,
): { readonly name: string; readonly around: readonly PlaceId[] } {
  const [name = '', ...rest] = partsOf(text);
  if (rest.length > 0) {
    const around = rest.flatMap((part) => placesMeant(part, network));
    return { name, around: around.map(({ place }) => place) };
  }
  const words = name.split(/\s+/);
  for (let start = Math.max(1, words.length - MAX_WORDS_AT_THE_END); start < words.length; start += 1) {
    const end = withoutArticle(words.slice(start).join(' '));
    const around = isTelling(foldText(end)) ? placeNamesOf(network).called(end) : [];
    if (around.length > 0) {
      return { name: words.slice(0, start).join(' '), around: around.map(({ place }) => place) };
    }
  }
  return { name, around: [] };
}

function similarPlaces(text: string, network: Network, offered: readonly PlaceId[]): readonly SimilarPlace[] {
  const bare = withoutArticle(text);
  const wanted = foldedName(foldText(bare) === '' ? text : bare);
  if (wanted.joined === '') return [];
  const { namesOf } = placeNamesOf(network);
  return offered
    .map((place) => ({
      place,
      distance: Math.min(
        ...namesOf(place).map((name) => nameDistance(wanted, name) ?? Number.POSITIVE_INFINITY),
      ),
    }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.distance - other.distance);
}

/** The places within the place, the place, those within its region, the region, then the same for the country. */
function placesAround(place: PlaceId, network: Network, offered: readonly PlaceId[]): readonly PlaceId[] {
  const parent = network.places.get(place)?.parent ?? null;
  const nearest = [...placesIn(place, network, offered), place];
  return parent === null ? nearest : [...nearest, ...placesAround(parent, network, offered)];
}

function placesIn(area: PlaceId, network: Network, offered: readonly PlaceId[]): readonly PlaceId[] {
  return offered.filter((place) => liesWithin(place, area, network));
}

function idsOf(places: readonly SimilarPlace[]): readonly PlaceId[] {
  return places.map(({ place }) => place);
}

// Shorter names and beginnings occur in too many texts: "it" is a word before it is Italy.
const MIN_TELLING_LENGTH = 3;
const MIN_TELLING_LENGTH_OF_DENSE_SCRIPT = 2;
const MIN_WORD_IN_NAME_LENGTH = 4;
// Scripts in which two characters can be a name, and words around it ("near", "station") often follow without a space.
const DENSE_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/u;

/** Smaller is nearer. The number of typos is added to `hasTypos`. */
const NAME_DISTANCE = { same: 0, beginsAlike: 1, sharesWords: 2, hasTypos: 3 } as const;

/** The distance of a name from a text; `undefined` when they are not similar. */
function nameDistance(text: FoldedName, name: FoldedName): number | undefined {
  if (text.joined === name.joined) return NAME_DISTANCE.same;
  if (name.joined.startsWith(text.joined) && isTelling(text.joined)) return NAME_DISTANCE.beginsAlike;
  if (text.joined.includes(name.joined) && DENSE_SCRIPT.test(name.joined) && isTelling(name.joined)) {
    // The longer one is meant: 東京都 has 京都 in it.
    return NAME_DISTANCE.sharesWords - name.joined.length / text.joined.length;
  }
  if (holdsWords(text.words, name.words) && isTelling(name.joined)) return NAME_DISTANCE.sharesWords;
  if (holdsWords(name.words, text.words) && text.joined.length >= MIN_WORD_IN_NAME_LENGTH) {
    return NAME_DISTANCE.sharesWords;
  }
  const typos = editDistance(text.joined, name.joined, typosAllowed(text.joined, name.joined));
  return typos === undefined ? undefined : NAME_DISTANCE.hasTypos + typos;
}

/** Whether a folded text is long enough to identify a place. */
function isTelling(folded: string): boolean {
  const isDense = DENSE_SCRIPT.test(folded);
  return folded.length >= (isDense ? MIN_TELLING_LENGTH_OF_DENSE_SCRIPT : MIN_TELLING_LENGTH);
}

function holdsWords(text: string, words: string): boolean {
  return text.includes(words) && ` ${text} `.includes(` ${words} `);
}
