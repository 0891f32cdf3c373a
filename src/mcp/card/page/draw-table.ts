import type { StaySort } from '../../../contract/tools/stay-arguments.ts';
import type { CardStay } from '../content/card-stay.ts';
import { bookingInWords, capacityInWords } from '../content/stay-words.ts';
import { drawAmenityExcerpt, drawCancellation, drawDetails, drawRating, drawTotal } from './draw-terms.ts';
import {
  drawPicture,
  drawStayLink,
  element,
  operatorText,
  type PageTools,
  type StaysForm,
  setAttributes,
} from './element.ts';

const COLUMNS: readonly { readonly name: string; readonly sort?: StaySort }[] = [
  { name: 'Stay' },
  { name: 'Total', sort: 'price' },
  { name: 'Rating', sort: 'rating' },
  { name: 'Guests', sort: 'capacity' },
  { name: 'Cancellation' },
  { name: 'Included' },
  { name: 'Booking' },
];

/** The options as rows, with sort buttons in the column heads. It scrolls, because it can be wider than the host. */
export function drawTable(
  stays: readonly CardStay[],
  tools: PageTools,
  sortBy: (column: StaySort) => void,
): StaysForm {
  const heads = COLUMNS.map(({ name, sort }) => {
    if (sort === undefined) return element('th', { scope: 'col' }, name);
    const button = element('button', { type: 'button', class: 'sort' }, name);
    button.addEventListener('click', () => sortBy(sort));
    return element('th', { scope: 'col' }, button);
  });
  const rows = new Map(stays.map((stay) => [stay.id, drawRow(stay, tools)]));
  const body = element('tbody', {});
  const table = element(
    'table',
    {},
    element('caption', { class: 'unseen' }, 'The stays side by side'),
    element('thead', {}, element('tr', {}, ...heads)),
    body,
  );
  return {
    root: element(
      'div',
      { class: 'scroller', role: 'region', tabindex: '0', 'aria-label': 'Table of stays' },
      table,
    ),
    show(shown, { by, direction }) {
      body.replaceChildren(...shown.flatMap(({ id }) => rows.get(id) ?? []));
      for (const [index, { sort }] of COLUMNS.entries()) {
        const head = heads[index];
        if (head && sort) setAttributes(head, { 'aria-sort': sort === by ? direction : 'none' });
      }
    },
  };
}

function drawRow(stay: CardStay, tools: PageTools): HTMLElement {
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element(
        'div',
        { class: 'named' },
        drawPicture(stay),
        element(
          'div',
          {},
          operatorText('span', stay.name, { class: 'name' }),
          element('p', { class: 'quiet' }, stay.brand, ' · ', operatorText('span', stay.location)),
        ),
      ),
    ),
    element('td', {}, drawTotal(stay, tools)),
    element('td', {}, drawRating(stay, tools)),
    element('td', {}, capacityInWords(stay, tools.format)),
    element('td', {}, drawCancellation(stay, tools)),
    element('td', {}, drawAmenityExcerpt(stay) ?? 'Not given', drawDetails(stay, tools)),
    element('td', {}, element('p', { class: 'quiet' }, bookingInWords(stay)), drawStayLink(stay, tools)),
  );
}
