import { LRUCache } from 'lru-cache';
import { AMENITY_LABELS, type AmenityKey, BROADER_AMENITIES } from '../../../catalogue/amenities.ts';
import { shownText } from '../../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault, UnmappedAmenity } from '../../../catalogue/rejections/rejection.ts';
import { cleanText } from '../../../catalogue/text/operator-text.ts';
import { ownText } from '../../../parsing/owned-memory.ts';

export type MappedAmenities = {
  /**
   * Canonical key → label, in the order of publication, each broader key after its narrower one. Null when no word is known: neither an
   * empty list nor unknown words show that a home lacks something.
   */
  readonly amenities: Readonly<Record<string, string>> | null;
  /** Words missing from the table, as the booking system writes them. */
  readonly unmapped: readonly string[];
};

export type AmenityMap = (published: readonly string[]) => MappedAmenities;

/** Longer than any amenity name, and short enough for thousands of lookups. */
const MAX_WORD_LENGTH = 100;
const ASCII = /^[ -~]*$/;

/**
 * A booking system's word for an amenity, normalised and cut. Normalising can turn one character into eighteen, so it runs where a
 * document is read; repeating it changes nothing.
 */
export function amenityWord(published: string): string {
  const cut = published.slice(0, MAX_WORD_LENGTH);
  return ASCII.test(cut) ? cut : cut.normalize('NFKC').slice(0, MAX_WORD_LENGTH);
}

/** Listings of a page repeat the same words, and folding a word takes a hundred times as long as finding it here. */
const MAX_FOLDED = 4096;
const folded = new LRUCache<string, string>({ max: MAX_FOLDED });

/** Equal for spellings of the same word. */
function foldedAmenity(word: string): string {
  const cut = word.slice(0, MAX_WORD_LENGTH);
  const known = folded.get(cut);
  if (known !== undefined) return known;
  const form = amenityWord(cut).trim().replace(/\s+/g, ' ').toLowerCase();
  folded.set(ownText(cut), ownText(form));
  return form;
}

/** More than any listing has; further words are ignored. */
const MAX_WORDS = 1000;

const LABELLED: ReadonlyMap<string, AmenityKey> = new Map(
  Object.entries(AMENITY_LABELS).map(([key, label]) => [foldedAmenity(label), key as AmenityKey]),
);

/** Names of amenities that several booking systems use, besides the labels of our own vocabulary. */
export const COMMON_AMENITY_NAMES: Readonly<Record<string, AmenityKey>> = {
  'BBQ grill': 'barbecue',
  'Bed linens': 'bed_linen',
  'Cable TV': 'cable_tv',
  'Carbon monoxide detector': 'carbon_monoxide_alarm',
  "Children's books and toys": 'childrens_books_and_toys',
  "Children's dinnerware": 'childrens_dinnerware',
  'Coffee maker': 'coffee_machine',
  Crib: 'cot',
  'Dishes and silverware': 'dishes',
  Dryer: 'dryer',
  'Elevator in building': 'lift',
  'EV charger': 'ev_charger',
  'Free parking on premises': 'free_parking',
  'Garden or backyard': 'garden',
  'Indoor fireplace': 'fireplace',
  'Laptop friendly workspace': 'workspace',
  'Long term stays allowed': 'long_stays',
  'Luggage dropoff allowed': 'luggage_dropoff',
  'Pets allowed': 'pets_allowed',
  'Pocket wifi': 'pocket_wifi',
  'Room-darkening shades': 'blackout_curtains',
  'Smoke detector': 'smoke_alarm',
  TV: 'television',
  Washer: 'washing_machine',
  'Wide doorway': 'wide_doorways',
  'Wireless Internet': 'wifi',
};

/**
 * Maps a booking system's codes or names to the vocabulary of amenities, ignoring case and blanks. It guesses nothing: a word is unmapped
 * unless it is in the table or, for names, is the label of an amenity.
 */
export function createAmenityMap(
  table: Readonly<Record<string, AmenityKey>>,
  { areNames = false } = {},
): AmenityMap {
  const labelled = areNames ? LABELLED : undefined;
  const keys = new Map<string, AmenityKey>();
  for (const [word, key] of Object.entries(table)) {
    const folded = foldedAmenity(word);
    const other = keys.get(folded);
    if (other !== undefined && other !== key)
      throw new Error(`"${word}" is mapped to both ${other} and ${key}`);
    keys.set(folded, key);
  }
  return (published) => {
    const amenities: Record<string, string> = {};
    const unmapped: string[] = [];
    for (const word of published.slice(0, MAX_WORDS)) {
      const folded = foldedAmenity(word);
      const key = keys.get(folded) ?? labelled?.get(folded);
      if (key !== undefined) {
        amenities[key] = AMENITY_LABELS[key];
        const broader = BROADER_AMENITIES[key];
        if (broader !== undefined) amenities[broader] = AMENITY_LABELS[broader];
      } else if (folded !== '') unmapped.push(amenityWord(word));
    }
    return { amenities: knownAmenities(amenities), unmapped };
  };
}

/** Amenities of a listing, joined with those that it shares with the other listings of its building. */
export function withShared(own: MappedAmenities, shared: MappedAmenities): MappedAmenities {
  return {
    amenities: knownAmenities({ ...own.amenities, ...shared.amenities }),
    unmapped: [...own.unmapped, ...shared.unmapped],
  };
}

/** Null for an empty record. */
export function knownAmenities(amenities: Readonly<Record<string, string>>): MappedAmenities['amenities'] {
  return Object.keys(amenities).length > 0 ? amenities : null;
}

/** More than any booking system has words for amenities; an operator can invent any number. */
const MAX_DISTINCT = 500;

/** Counts in how many listings each unmapped word occurs. */
export type UnmappedAmenities = {
  /** Call once per listing, or several times in a row. */
  add(reference: string, names: readonly string[]): void;
  /** Adds the counts of another page or thread. */
  addCounted(counted: readonly UnmappedAmenity[]): void;
  /** Sorted by number of listings, most first. */
  all(): readonly UnmappedAmenity[];
};

/** The number in words; words beyond the limit are not counted. */
export function numberOfUnmapped({ length }: readonly UnmappedAmenity[]): string {
  return length < MAX_DISTINCT ? String(length) : `at least ${length}`;
}

export function createUnmappedAmenities(): UnmappedAmenities {
  const counts = new Map<string, { readonly amenity: string; listings: number; lastListing?: string }>();

  function countOf(name: string, amenity: () => string) {
    const folded = foldedAmenity(name);
    const known = counts.get(folded);
    if (known || folded === '' || counts.size >= MAX_DISTINCT) return known;
    const count: { readonly amenity: string; listings: number; lastListing?: string } = {
      amenity: amenity(),
      listings: 0,
    };
    counts.set(folded, count);
    return count;
  }

  return {
    add(reference, names) {
      for (const name of names) {
        const count = countOf(name, () => shownText(name.trim()));
        if (!count || count.lastListing === reference) continue;
        count.lastListing = reference;
        count.listings += 1;
      }
    },
    addCounted(counted) {
      for (const { amenity, listings } of counted) {
        const count = countOf(amenity, () => amenity);
        if (count) count.listings += listings;
      }
    },
    all: () =>
      Array.from(counts.values(), ({ amenity, listings }) => ({ amenity, listings })).sort(
        (one, other) => other.listings - one.listings || (one.amenity < other.amenity ? -1 : 1),
      ),
  };
}

const KEY = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/;
const MAX_KEY = 40;
const MAX_AMENITIES = 100;
const MAX_LABEL = 80;
// An option of an answer holds no more.
const MAX_LETTERS = 4000;
// Each fault costs time, and an operator with this many has to correct them first.
const MAX_FAULTS = 10;

type PublishedAmenities = {
  readonly amenities: Record<string, string>;
  /** Whether some were left out at the limit. */
  readonly wasCut: boolean;
};

/** Replaces labels that cannot be shown by their key in words, and drops keys that cannot be shown. */
export function readPublishedAmenities(
  published: Readonly<Record<string, string>>,
  report: (field: string, fault: RejectionFault) => void,
): PublishedAmenities {
  const amenities: Record<string, string> = {};
  let faults = 0;
  let accepted = 0;
  let letters = 0;
  for (const key in published) {
    const label = published[key];
    if (!Object.hasOwn(published, key) || label === undefined) continue;
    if (accepted >= MAX_AMENITIES || letters > MAX_LETTERS) return { amenities, wasCut: true };
    if (faults >= MAX_FAULTS) {
      const reason = `has ${MAX_FAULTS} faults, and what comes after them was not read`;
      report('amenities', { rule: 'too_many_faults', reason });
      return { amenities, wasCut: true };
    }
    // `constructor` and `__proto__` match the pattern, but mean something else as members of an object.
    if (!KEY.test(key) || key.length > MAX_KEY || key in {}) {
      const reason = `has a key that is not small letters and digits with single _ or - between them, or is longer than ${MAX_KEY}`;
      report('amenities', { rule: 'amenity_key', reason, value: shownText(key) });
      faults += 1;
      continue;
    }
    const words = cleanText(key.replaceAll(/[_-]+/g, ' '), MAX_LABEL);
    if (words.kind === 'invalid') {
      for (const { rule, reason } of words.faults) {
        report('amenities', { rule, reason: `has a key that ${reason}`, value: shownText(key) });
      }
      faults += 1;
      continue;
    }
    const shown = cleanText(label, MAX_LABEL);
    if (shown.kind === 'invalid') {
      for (const fault of shown.faults) report(`amenities/${key}`, fault);
      faults += 1;
    }
    const text = (shown.kind === 'valid' && shown.value.text) || words.value.text;
    amenities[key] = text;
    letters += key.length + text.length;
    accepted += 1;
  }
  return { amenities, wasCut: false };
}
