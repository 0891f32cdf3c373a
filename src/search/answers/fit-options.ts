import { ruleAgainstText } from '../../catalogue/text/text-for-a-model.ts';
import type { Option } from '../../contract/option.ts';
import { MAX_ENVELOPE_BYTES, MAX_OPTION_BYTES } from '../../contract/vocabulary.ts';
import type { WrittenOption } from './option-answer.ts';

/**
 * Limits the bytes of each option, so that no operator can crowd out the others in a model's context. The least important parts are cut
 * first, and `truncated_fields` names every cut. Prices, links and names are never cut, and the amenities by which the set was filtered are
 * cut last: a model would take an option without them for a mistake.
 */
export function fitOptions(
  options: readonly WrittenOption[],
  narrowedBy: readonly string[] = NO_AMENITIES,
): readonly WrittenOption[] {
  const fitted = options.map((option) => fittedTo(MAX_OPTION_BYTES, option, narrowedBy));
  const areFew = options.length * MAX_OPTION_BYTES <= BYTES_OF_OPTIONS;
  const bytes = areFew ? 0 : fitted.reduce((sum, { text }) => sum + 1 + Buffer.byteLength(text), -1);
  if (bytes <= BYTES_OF_OPTIONS) return fitted;
  const share = Math.floor(BYTES_OF_OPTIONS / options.length);
  return fitted.map((option) => fittedTo(share, option, narrowedBy));
}

function fittedTo(maxBytes: number, written: WrittenOption, narrowedBy: readonly string[]): WrittenOption {
  const { option: whole, text } = written;
  // Most options are so short that their bytes need not be counted.
  const isWithin = text.length * MAX_BYTES_PER_LETTER <= maxBytes || Buffer.byteLength(text) <= maxBytes;
  if (isWithin) return written;
  const option = fitOption(whole, maxBytes, narrowedBy);
  return { option, text: JSON.stringify(option) };
}

/** The largest size of an envelope without its options. */
const BYTES_AROUND_OPTIONS = 27 * 1024;
const BYTES_OF_OPTIONS = MAX_ENVELOPE_BYTES - BYTES_AROUND_OPTIONS;
/** The size of `truncated_fields`. */
const BYTES_OF_MARKS = 160;
const MIN_POLICY_LENGTH = 300;
const MIN_AMENITIES = 12;
const MAX_LINE_ITEMS_BYTES = 1000;
// Of one UTF-16 unit in UTF-8.
const MAX_BYTES_PER_LETTER = 3;
const ELLIPSIS = '…';
const MAX_END_CHECKED = 80;
const NO_AMENITIES: readonly string[] = [];
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

type Shortening = {
  readonly field: string;
  /** The option with at least `excess` bytes less, or as many as this can save; the same object when it saves none. */
  shorten(option: Option, excess: number, narrowedBy: readonly string[]): Option;
};

const SHORTENINGS: readonly Shortening[] = [
  {
    field: 'images.gallery',
    shorten: (option, excess) => {
      const gallery = shortenedList(option.images.gallery, excess);
      return gallery === option.images.gallery
        ? option
        : { ...option, images: { ...option.images, gallery } };
    },
  },
  {
    field: 'quote.line_items',
    // All or none: an incomplete breakdown would not add up. The operator gave one, so `line_items_available` stays true.
    shorten: (option) =>
      bytesOf(option.quote.line_items) <= MAX_LINE_ITEMS_BYTES
        ? option
        : { ...option, quote: { ...option.quote, line_items: [] } },
  },
  {
    field: 'amenities',
    shorten: (option, excess, narrowedBy) => withFewerAmenities(option, excess, narrowedBy, MIN_AMENITIES),
  },
  {
    field: 'cancellation.summary',
    shorten: (option, excess) => {
      const { summary } = option.cancellation;
      const shorter = shortenedText(summary, excess, MIN_POLICY_LENGTH);
      return shorter === summary
        ? option
        : { ...option, cancellation: { ...option.cancellation, summary: shorter } };
    },
  },
  {
    field: 'amenities',
    shorten: (option, excess, narrowedBy) => withFewerAmenities(option, excess, narrowedBy),
  },
  {
    field: 'capacity.summary',
    shorten: (option, excess) => {
      const { summary } = option.capacity;
      const shorter = shortenedText(summary, excess, 0);
      return shorter === summary ? option : { ...option, capacity: { ...option.capacity, summary: shorter } };
    },
  },
  {
    field: 'images.primary.alt',
    shorten: (option, excess) => {
      const { primary } = option.images;
      const alt = shortenedText(primary.alt, excess, 0);
      return alt === primary.alt
        ? option
        : { ...option, images: { ...option.images, primary: { ...primary, alt } } };
    },
  },
  { field: 'amenities', shorten: (option, excess) => withFewerAmenities(option, excess) },
];

export function fitOption(
  option: Option,
  maxBytes: number,
  narrowedBy: readonly string[] = NO_AMENITIES,
): Option {
  if (bytesOf(option) <= maxBytes) return option;
  const { truncated_fields = [], ...whole } = option;
  const cut = new Set<string>();
  let fitted: Option = whole;
  for (const { field, shorten } of SHORTENINGS) {
    const excess = bytesOf(fitted) + BYTES_OF_MARKS - maxBytes;
    if (excess <= 0) break;
    const shorter = shorten(fitted, excess, narrowedBy);
    if (shorter !== fitted) cut.add(field);
    fitted = shorter;
  }
  const named = [
    ...truncated_fields,
    ...SHORTENINGS.map(({ field }) => field).filter((field) => cut.has(field)),
  ];
  return { ...fitted, truncated_fields: [...new Set(named)] };
}

/** Keeps `wanted` and at least `min`. */
function withFewerAmenities(
  option: Option,
  excess: number,
  wanted: readonly string[] = NO_AMENITIES,
  min = 0,
): Option {
  if (option.amenities === null) return option;
  const entries = Object.entries(option.amenities);
  const isWanted = ([key]: [string, string]) => wanted.includes(key);
  const first = entries.filter(isWanted);
  const ordered = [...first, ...entries.filter((entry) => !isWanted(entry))];
  const kept = shortenedList(ordered, excess, Math.max(min, first.length));
  if (kept === ordered) return option;
  const keys = new Set(kept.map(([key]) => key));
  return { ...option, amenities: Object.fromEntries(entries.filter(([key]) => keys.has(key))) };
}

/** Drops items from the end. Counts two bytes less per item than it takes, so that commas never matter. */
function shortenedList<T>(items: readonly T[], excess: number, min = 0): T[] {
  let kept = items.length;
  for (let saved = 0; kept > min && saved < excess; kept -= 1) saved += bytesOf(items[kept - 1]) - 2;
  return kept === items.length ? (items as T[]) : items.slice(0, kept);
}

function shortenedText(text: string, excess: number, minLength: number): string {
  if (text.length <= minLength) return text;
  const target = bytesOf(text) - excess - bytesOf(ELLIPSIS);
  let end = 0;
  let bytes = 2;
  for (const { index, segment } of GRAPHEMES.segment(text)) {
    bytes += bytesOf(segment) - 2;
    if (bytes > target && index >= minLength) break;
    end = index + segment.length;
  }
  if (end >= text.length) return text;
  // A cut word or group of digits can form an address or a phone number that the whole text did not have.
  let shown = withoutLastWord(text.slice(0, end + 1));
  while (shown !== '' && ruleAgainstText(shown.slice(-MAX_END_CHECKED)) !== undefined) {
    shown = withoutLastWord(shown.slice(0, -MAX_END_CHECKED));
  }
  return shown + ELLIPSIS;
}

/** In languages without blanks between words it removes the last character, or the run of ASCII at the end. */
function withoutLastWord(text: string): string {
  const blank = text.lastIndexOf(' ');
  const isLongAgo = text.length - blank > MAX_END_CHECKED;
  return (isLongAgo ? text.replace(/[!-~]+$|.$/su, '') : text.slice(0, Math.max(0, blank))).trimEnd();
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
