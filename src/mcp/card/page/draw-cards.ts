import type { CardStay } from '../content/card-stay.ts';
import { bookingInWords, capacityInWords } from '../content/stay-words.ts';
import { drawStayLink } from './draw-link.ts';
import { drawPicture } from './draw-picture.ts';
import { drawAmenityExcerpt, drawCancellation, drawDetails, drawRating, drawTotal } from './draw-terms.ts';
import { element, operatorText } from './element.ts';
import type { PageTools } from './page-tools.ts';
import type { StaysForm } from './stays-form.ts';

/** The options as a grid of cards. */
export function drawCards(stays: readonly CardStay[], lowest: string | null, tools: PageTools): StaysForm {
  const cards = new Map(stays.map((stay) => [stay.id, drawCard(stay, lowest, tools)]));
  // Without a bullet, a list is one to screen readers only when it says so.
  const list = element('ul', { class: 'cards', role: 'list' });
  return {
    root: list,
    show: (shown) => list.replaceChildren(...shown.flatMap(({ id }) => cards.get(id) ?? [])),
  };
}

function drawCard(stay: CardStay, lowest: string | null, tools: PageTools): HTMLElement {
  const badge = stay.rank === 1 && lowest !== null ? element('p', { class: 'badge' }, lowest) : null;
  const heading = operatorText('h2', stay.name, { id: `card-${stay.rank}` });
  return element(
    'li',
    { class: 'card' },
    element(
      'article',
      { 'aria-labelledby': heading.id },
      drawPicture(stay),
      element(
        'div',
        { class: 'summary' },
        badge,
        heading,
        element('p', { class: 'quiet' }, stay.brand, ' · ', operatorText('span', stay.location)),
        drawRating(stay, tools),
        element('p', {}, capacityInWords(stay, tools.format)),
        drawAmenityExcerpt(stay),
      ),
      element(
        'div',
        { class: 'terms' },
        drawTotal(stay, tools),
        drawCancellation(stay, tools),
        element('p', { class: 'quiet' }, bookingInWords(stay)),
        drawDetails(stay, tools),
        drawStayLink(stay, tools),
      ),
    ),
  );
}
