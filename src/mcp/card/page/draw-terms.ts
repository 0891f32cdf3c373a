import { type CardStay, isRated } from '../content/card-stay.ts';
import {
  arrivalInWords,
  cancellationInWords,
  depositInWords,
  dueOnSiteInWords,
  guaranteeInWords,
  ratingInWords,
} from '../content/stay-words.ts';
import { element, icon, operatorText, type PageTools } from './element.ts';

const CHECK = 'm5 12.5 4.5 4.5L19 7.5';
const STAR = 'm12 4 2.5 5.1 5.6.8-4 3.9.9 5.5-5-2.6-5 2.6.9-5.5-4-3.9 5.6-.8z';
const MAX_AMENITIES_ON_CARD = 4;

export function drawTotal(stay: CardStay, { format }: PageTools): HTMLElement {
  const dueOnSite = dueOnSiteInWords(stay, format);
  return element(
    'div',
    { class: 'price' },
    element(
      'p',
      { class: 'total' },
      element('strong', {}, format.money(stay.total)),
      element('span', {}, ' in total'),
    ),
    element('p', { class: 'quiet' }, `${format.money(stay.nightly)} per night`),
    dueOnSite === null ? null : element('p', { class: 'due' }, dueOnSite),
  );
}

export function drawRating(stay: CardStay, { format }: PageTools): HTMLElement {
  const words = ratingInWords(stay, format);
  if (!isRated(stay)) return element('p', { class: 'rating quiet' }, words);
  return element('p', { class: 'rating' }, icon(STAR), element('span', { class: 'unseen' }, 'Rated '), words);
}

/** Without a structured policy, quotes the operator's text. */
export function drawCancellation(stay: CardStay, { format, now }: PageTools): HTMLElement {
  const { tone, sentence, isUnknown } = cancellationInWords(stay.cancellation, format, now);
  return element(
    'div',
    { class: `cancellation ${tone}` },
    element('p', {}, tone === 'good' ? icon(CHECK) : null, isUnknown ? `${sentence}:` : sentence),
    isUnknown ? operatorText('q', stay.cancellation.operatorWords, { class: 'excerpt' }) : null,
  );
}

export function drawAmenityExcerpt({ amenities }: CardStay): HTMLElement | null {
  if (amenities === 'left_out') return null;
  if (amenities === 'unpublished') return element('p', { class: 'quiet' }, 'Amenities not published');
  const labels = Object.values(amenities);
  const more = labels.length - MAX_AMENITIES_ON_CARD;
  const shown = labels.slice(0, MAX_AMENITIES_ON_CARD).join(' · ');
  return operatorText('p', more > 0 ? `${shown} · ${more}\u00a0more` : shown, {
    class: 'quiet amenity-excerpt',
  });
}

/** All other facts about an option, collapsed. Null when there are none. */
export function drawDetails(stay: CardStay, tools: PageTools): HTMLElement | null {
  const sections = [
    drawBreakdown(stay, tools),
    drawOperatorPolicy(stay),
    drawArrival(stay, tools),
    drawAmenities(stay),
  ];
  const known = sections.filter((section) => section !== null);
  if (known.length === 0) return null;
  const name = element('span', { class: 'unseen' }, ` of ${stay.name}`);
  return element(
    'details',
    { class: 'details' },
    element('summary', {}, 'Price, terms and amenities', name),
    ...known,
  );
}

function drawBreakdown(stay: CardStay, { format, now }: PageTools): HTMLElement | null {
  const { quote } = stay;
  if (quote === null) return null;
  const notes = [
    depositInWords(stay, format),
    dueOnSiteInWords(stay, format),
    guaranteeInWords(stay, format, now),
  ];
  return element(
    'section',
    {},
    element('h3', {}, 'Price'),
    quote.line_items_available
      ? element(
          'dl',
          { class: 'lines' },
          ...quote.line_items.map(({ label, amount }) =>
            drawLine(operatorText('dt', label), format.money(amount)),
          ),
          drawLine(element('dt', {}, 'Total'), format.money(stay.total)),
        )
      : element('p', {}, 'The operator gave no breakdown of its total.'),
    ...notes.map((note) => (note === null ? null : element('p', {}, asSentence(note)))),
  );
}

function drawLine(term: HTMLElement, amount: string): HTMLElement {
  return element('div', {}, term, element('dd', {}, amount));
}

function drawOperatorPolicy({ cancellation, brand }: CardStay): HTMLElement | null {
  if (cancellation.operatorWords === '') return null;
  return element(
    'section',
    {},
    element('h3', {}, 'Cancellation'),
    operatorText('blockquote', cancellation.operatorWords),
    element('p', { class: 'quiet' }, `In the words of ${brand}`),
  );
}

function drawArrival(stay: CardStay, { format }: PageTools): HTMLElement | null {
  const words = arrivalInWords(stay, format);
  return words === null
    ? null
    : element(
        'section',
        {},
        element('h3', {}, 'Arrival and departure'),
        element('p', {}, `${words}, local time`),
      );
}

function drawAmenities({ amenities }: CardStay): HTMLElement | null {
  if (amenities === 'left_out') return null;
  return element(
    'section',
    {},
    element('h3', {}, 'Included'),
    amenities === 'unpublished'
      ? element('p', {}, 'The operator does not publish what is included.')
      : element(
          'ul',
          { class: 'amenities' },
          ...Object.values(amenities).map((label) => operatorText('li', label)),
        ),
  );
}

function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
