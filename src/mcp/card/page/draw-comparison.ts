import type { Option } from '../../../contract/option.ts';
import type { ComparisonPayload, ComparisonView } from '../content/card-content.ts';
import {
  askedInWords,
  bookingInWords,
  cancellationInWords,
  capacityInWords,
  factsInWords,
  filtersInWords,
  placeInWords,
  priceNotesInWords,
  ratingInWords,
  stayInWords,
} from '../content/card-words.ts';
import { drawLink, drawPicture, element, icon, operatorText, type PageTools } from './element.ts';

const CHECK = 'm5 12.5 4.5 4.5L19 7.5';
const MAX_AMENITIES_ON_CARD = 4;

export function drawComparison(
  payload: ComparisonPayload,
  view: ComparisonView | null,
  tools: PageTools,
): readonly HTMLElement[] {
  const { results, all_results_url: url, notes } = payload;
  const brand = results[0]?.brand;
  // Screen readers recognise a list without bullets only by its role.
  const list = element(
    'ul',
    { class: 'cards', role: 'list' },
    ...results.map((option) => drawCard(option, payload, tools)),
  );
  return [
    drawHeader(payload, view, tools),
    ...(results.length === 0 ? [] : [list]),
    ...drawPart(payload, view, tools),
    ...(url === null || brand === undefined
      ? []
      : [drawLink({ url, words: `All results on ${brand}`, about: '', className: 'all-results' }, tools)]),
    // The service's own notes are written for assistants, so they are folded away.
    element(
      'details',
      { class: 'notes' },
      element('summary', {}, 'Notes that your assistant got with these prices'),
      element('p', {}, notes),
    ),
  ];
}

/** The search, and facts about the whole set. It says until when the prices hold, so it is drawn again when they expire. */
export function drawHeader(
  payload: ComparisonPayload,
  view: ComparisonView | null,
  { format, now }: PageTools,
): HTMLElement {
  const filters = filtersInWords(payload);
  return element(
    'header',
    {},
    element('h1', {}, `Stays in ${placeInWords(payload, view)}`),
    element('p', { class: 'stay' }, stayInWords(payload, format)),
    filters.length === 0
      ? null
      : element('p', { class: 'filters' }, 'With ', operatorText('span', filters.join(', '))),
    element('p', { class: 'quiet' }, factsInWords(payload, format, now).join(' ')),
  );
}

/** The number of shown options, with a button for the others. */
function drawPart(
  { results, comparison_set: { options_count: inSet } }: ComparisonPayload,
  view: ComparisonView | null,
  { format, showMore }: PageTools,
): readonly HTMLElement[] {
  if (inSet === 0) return [element('p', { class: 'message' }, 'There is no stay to compare.')];
  if (results.length === inSet) return [];
  const asked = view === null ? '' : askedInWords(view, format);
  const shown = `${format.count(results.length)} of ${format.count(inSet)} shown`;
  const more = showMore === null ? null : element('button', { type: 'button' }, 'Show more');
  more?.addEventListener('click', () => {
    more.disabled = true;
    showMore?.();
  });
  const words = element('p', {}, asked === '' ? `${shown}.` : `${shown}: ${asked}.`);
  return [element('div', { class: 'part' }, words, more)];
}

function drawCard(option: Option, { comparison_set: { selection } }: ComparisonPayload, tools: PageTools) {
  const { rank, quote, brand } = option;
  const { format, now } = tools;
  // "Found", because a home that was not priced may cost less.
  const lowest = selection.complete ? 'Lowest total' : 'Lowest total found';
  const heading = operatorText('h2', option.name, { id: `card-${rank}` });
  const { tone, sentence, isUnknown } = cancellationInWords(option, format, now);
  const isInstant = option.availability.booking_mode === 'instant';
  const link = {
    url: option.url,
    words: isInstant ? `Book on ${brand}` : `Request to book on ${brand}`,
    about: option.name,
    className: 'book',
  };
  return element(
    'li',
    { class: 'card' },
    element(
      'article',
      { 'aria-labelledby': heading.id },
      drawPicture(option.images.primary),
      element(
        'div',
        { class: 'summary' },
        rank === 1 ? element('p', { class: 'badge' }, lowest) : null,
        heading,
        element('p', { class: 'quiet' }, brand, ' · ', operatorText('span', option.location)),
        element('p', { class: 'rating' }, `Rating: ${ratingInWords(option)}`),
        element('p', {}, capacityInWords(option)),
        drawAmenityExcerpt(option),
      ),
      element(
        'div',
        { class: 'terms' },
        element(
          'div',
          { class: 'price' },
          element(
            'p',
            { class: 'total' },
            element('strong', {}, format.money(quote.amount)),
            element('span', {}, ' in total'),
          ),
          element('p', { class: 'quiet' }, `${format.money(quote.nightly_average)} per night`),
          quote.due_on_site
            ? element('p', { class: 'due' }, `plus ${format.money(quote.due_on_site)} paid at the property`)
            : null,
        ),
        element(
          'div',
          { class: `cancellation ${tone}` },
          element('p', {}, tone === 'good' ? icon(CHECK) : null, isUnknown ? `${sentence}:` : sentence),
          isUnknown ? operatorText('q', option.cancellation.summary, { class: 'excerpt' }) : null,
        ),
        element('p', { class: 'quiet' }, bookingInWords(option)),
        drawDetails(option, tools),
        drawLink(link, tools),
      ),
    ),
  );
}

function drawAmenityExcerpt({ amenities }: Option): HTMLElement {
  if (amenities === null) return element('p', { class: 'quiet' }, 'Amenities not published');
  const labels = Object.values(amenities);
  const more = labels.length - MAX_AMENITIES_ON_CARD;
  const shown = labels.slice(0, MAX_AMENITIES_ON_CARD).join(' · ');
  return operatorText('p', more > 0 ? `${shown} · ${more}\u00a0more` : shown, {
    class: 'quiet amenity-excerpt',
  });
}

/** All other facts about an option, collapsed. */
function drawDetails(option: Option, { format, now }: PageTools): HTMLElement {
  const { quote, cancellation, amenities, check_in_time, check_out_time } = option;
  const times = [
    ...(check_in_time === null ? [] : [`arrival from ${format.timeOfDay(check_in_time)}`]),
    ...(check_out_time === null ? [] : [`departure by ${format.timeOfDay(check_out_time)}`]),
  ];
  const line = (term: HTMLElement, amount: number) =>
    element('div', {}, term, element('dd', {}, format.money(amount)));
  return element(
    'details',
    { class: 'details' },
    element(
      'summary',
      {},
      'Price, terms and amenities',
      element('span', { class: 'unseen' }, ` of ${option.name}`),
    ),
    section(
      'Price',
      quote.line_items_available
        ? element(
            'dl',
            { class: 'lines' },
            ...quote.line_items.map(({ label, amount }) => line(operatorText('dt', label), amount)),
            line(element('dt', {}, 'Total'), quote.amount),
          )
        : element('p', {}, 'The operator gave no breakdown of its total.'),
      ...priceNotesInWords(option, format, now).map((note) => element('p', {}, note)),
    ),
    cancellation.summary === ''
      ? null
      : section(
          'Cancellation',
          operatorText('blockquote', cancellation.summary),
          element('p', { class: 'quiet' }, `In the words of ${option.brand}`),
        ),
    times.length === 0
      ? null
      : section('Arrival and departure', element('p', {}, `${times.join(', ')}, local time`)),
    section(
      'Included',
      amenities === null
        ? element('p', {}, 'The operator does not publish what is included.')
        : element(
            'ul',
            { class: 'amenities' },
            ...Object.values(amenities).map((label) => operatorText('li', label)),
          ),
    ),
  );
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', {}, element('h3', {}, title), ...content);
}
