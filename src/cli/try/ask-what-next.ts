import type { ComparisonBody, StayField, StayOption } from '../../client/client.ts';
import type { Choice, Terminal } from '../terminal.ts';
import { priceText } from './amount-text.ts';
import { amenityLabel, unansweredBrands } from './comparison-text.ts';
import { oneLine } from './option-facts.ts';

type NextAction =
  | SearchAction
  | { readonly kind: 'show' | 'open'; readonly option: StayOption }
  | { readonly kind: 'quit' };

/** What leads to another result. */
export type SearchAction =
  | { readonly kind: 'narrow'; readonly amenity: string }
  | { readonly kind: 'change'; readonly field: StayField }
  | { readonly kind: 'clear' | 'again' };

const MIN_OPTIONS_TO_FILTER = 10;
/** The fields by what people call them. Without an arrival there is no departure, so both are asked for. */
const CHANGES: readonly (readonly [StayField, string])[] = [
  ['destination', 'the place'],
  ['check_in_day', 'arrival and departure'],
  ['check_out', 'the departure'],
  ['guests', 'the number of people'],
  ['brand_locked', 'this brand alone, or every brand'],
];

/** What a person does with a result. */
export async function askWhatNext(
  body: ComparisonBody,
  terminal: Pick<Terminal, 'ask'>,
): Promise<NextAction> {
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
    case 'open':
      return { kind, option: await chooseOption() };
    case 'narrow':
      return { kind, amenity: await chooseAmenity() };
    case 'change':
      return { kind, field: await chooseField() };
    case 'clear':
    case 'again':
      return { kind };
    default:
      return { kind: 'quit' };
  }

  function choose(message: string, choices: readonly Choice[]): Promise<string> {
    const canFilter = choices.length >= MIN_OPTIONS_TO_FILTER;
    return terminal.ask({ message, option: '--json', choices, canFilter });
  }

  async function chooseOption(): Promise<StayOption> {
    const rank = await choose(
      'Which home?',
      results.map(({ rank: place, name, quote }) => ({
        value: String(place),
        label: `${place}. ${oneLine(name)} · ${priceText(quote.amount, oneLine(quote.currency))}`,
      })),
    );
    const found = results.find(({ rank: place }) => String(place) === rank);
    if (!found) throw new Error(`there is no option ${rank}`);
    return found;
  }

  function chooseAmenity(): Promise<string> {
    return choose(
      'Only homes with',
      amenities.map(({ value, match_count, of }) => ({
        value,
        label: `${amenityLabel(value, body)} · ${match_count} of ${of}`,
      })),
    );
  }

  async function chooseField(): Promise<StayField> {
    const fields = CHANGES.filter(([field]) => Object.hasOwn(ways.change, field));
    const chosen = await choose(
      'Change what?',
      fields.map(([value, label]) => ({ value, label })),
    );
    return fields.find(([field]) => field === chosen)?.[0] ?? 'destination';
  }
}
