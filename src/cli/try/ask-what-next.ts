import type { ComparisonBody, StayField, StayOption } from '../../client/client.ts';
import type { Choice, Question, Terminal } from '../terminal.ts';
import { amenityLabel, unansweredBrands } from './comparison-text.ts';
import { oneLine, priceText } from './option-text.ts';

type NextAction =
  | SearchAction
  | { readonly kind: 'show' | 'open'; readonly option: StayOption }
  | { readonly kind: 'quit' };

/** Actions that lead to another result. */
export type SearchAction =
  | { readonly kind: 'narrow'; readonly amenity: string }
  | { readonly kind: 'change'; readonly field: StayField }
  | { readonly kind: 'clear' | 'again' };

const MIN_OPTIONS_TO_FILTER = 10;
/** The fields with their names for people. A new arrival needs a new departure, so both are asked for. */
const CHANGES: readonly (readonly [StayField, string])[] = [
  ['destination', 'the place'],
  ['check_in_day', 'arrival and departure'],
  ['check_out', 'the departure'],
  ['guests', 'the number of people'],
  ['brand_locked', 'this brand alone, or every brand'],
];

/** Leads back to the first question; no value on offer is empty. */
const BACK: Choice = { value: '', label: 'Back' };

/** Asks what to do with a result, and asks again when the person goes back from a choice. */
export async function askWhatNext(
  body: ComparisonBody,
  terminal: Pick<Terminal, 'ask'>,
): Promise<NextAction> {
  for (;;) {
    const next = await askOnce(body, terminal);
    if (next) return next;
  }
}

async function askOnce(body: ComparisonBody, terminal: Pick<Terminal, 'ask'>): Promise<NextAction | null> {
  const { available_requests: ways, results, applied_filters } = body;
  const amenities = ways.refine?.options ?? [];
  const filters = applied_filters.amenities.map((amenity) => amenityLabel(amenity, body));
  const kind = await choose('What next?', [
    ...(results.length > 0
      ? [
          { value: 'show', label: 'Show one home in full' },
          { value: 'open', label: 'Open the page of one in the browser' },
        ]
      : []),
    ...(amenities.length > 0 ? [{ value: 'narrow', label: 'Only homes with …' }] : []),
    ...(filters.length > 0
      ? [{ value: 'clear', label: `All homes again, not only with ${filters.join(', ')}` }]
      : []),
    { value: 'change', label: 'Change the stay' },
    ...(unansweredBrands(body).length > 0 ? [{ value: 'again', label: 'Ask the brands again' }] : []),
    { value: 'quit', label: 'Quit' },
  ]);
  switch (kind) {
    case 'show':
    case 'open': {
      const option = await chooseOption();
      return option && { kind, option };
    }
    case 'narrow': {
      const amenity = await chooseAmenity();
      return amenity === BACK.value ? null : { kind, amenity };
    }
    case 'change': {
      const field = await chooseField();
      return field && { kind, field };
    }
    case 'clear':
    case 'again':
      return { kind };
    default:
      return { kind: 'quit' };
  }

  function choose(
    message: string,
    choices: readonly Choice[],
    more: Pick<Question, 'atEscape'> = {},
  ): Promise<string> {
    const canFilter = choices.length >= MIN_OPTIONS_TO_FILTER;
    return terminal.ask({ message, option: '--json', choices, canFilter, ...more });
  }

  function chooseOrGoBack(message: string, choices: readonly Choice[]): Promise<string> {
    return choose(message, [...choices, BACK], { atEscape: BACK.value });
  }

  async function chooseOption(): Promise<StayOption | null> {
    const rank = await chooseOrGoBack(
      'Which home?',
      results.map(({ rank: place, name, quote }) => ({
        value: String(place),
        label: `${place}. ${oneLine(name)} · ${priceText(quote.amount, oneLine(quote.currency))}`,
      })),
    );
    return results.find(({ rank: place }) => String(place) === rank) ?? null;
  }

  function chooseAmenity(): Promise<string> {
    return chooseOrGoBack(
      'Only homes with',
      amenities.map(({ value, match_count, of }) => ({
        value,
        label: `${amenityLabel(value, body)} · ${match_count} of ${of}`,
      })),
    );
  }

  async function chooseField(): Promise<StayField | null> {
    const fields = CHANGES.filter(([field]) => Object.hasOwn(ways.change, field));
    const chosen = await chooseOrGoBack(
      'Change what?',
      fields.map(([value, label]) => ({ value, label })),
    );
    return fields.find(([field]) => field === chosen)?.[0] ?? null;
  }
}
