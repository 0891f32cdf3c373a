import {
  type CardStay,
  NATURAL_ORDERS,
  ORDER_NAMES,
  reversed,
  type StayOrder,
  sortStays,
} from '../content/card-stay.ts';
import type { CardContent, ComparisonPayload, ComparisonView } from '../content/read-tool-result.ts';
import {
  askedInWords,
  factsInWords,
  filtersInWords,
  placeInWords,
  stayInWords,
} from '../content/set-words.ts';
import { bookingInWords, capacityInWords, countedNoun } from '../content/stay-words.ts';
import { drawTable } from './draw-table.ts';
import { drawAmenityExcerpt, drawCancellation, drawDetails, drawRating, drawTotal } from './draw-terms.ts';
import {
  drawLink,
  drawPicture,
  drawStayLink,
  element,
  operatorText,
  type PageTools,
  type StaysForm,
  setAttributes,
} from './element.ts';

type CardComparison = Extract<CardContent, { kind: 'comparison' }>;

/** The traveller's choices, which are kept when the card is drawn again. */
export type CardChoices = { form: CardForm; order: StayOrder | null };

export function drawComparison(
  content: CardComparison,
  choices: CardChoices,
  tools: PageTools,
): readonly HTMLElement[] {
  const { payload, stays } = content;
  const header = drawComparisonHeader(content, tools);
  const notes = payload === null ? [] : [drawNotes(payload)];
  const shown = stays.length === 0 ? [] : drawStays(content, choices, tools);
  return [header, ...shown, ...drawPart(content, tools), ...drawAllResults(content, tools), ...notes];
}

/** Shows until when the prices hold, so it is drawn again when they expire. */
export function drawComparisonHeader({ payload, view }: CardComparison, tools: PageTools): HTMLElement {
  return payload === null ? drawPlainHeader() : drawHeader(payload, view, tools);
}

function drawStays(content: CardComparison, choices: CardChoices, tools: PageTools): readonly HTMLElement[] {
  const { stays, view } = content;
  const firstOrder = NATURAL_ORDERS[view?.sort ?? 'price'];

  const place = element('div', { class: 'stays' });
  const forms: Partial<Record<CardForm, StaysForm>> = {};
  const formOf = (form: CardForm) => {
    forms[form] ??=
      form === 'cards' ? drawCards(stays, lowestBadge(content), tools) : drawTable(stays, tools, sortBy);
    return forms[form];
  };
  const orderNow = () => choices.order ?? firstOrder;
  const show = () => {
    const form = formOf(choices.form);
    // Keeps the assistant's order until the traveller chooses another.
    form.show(choices.order === null ? stays : sortStays(stays, choices.order), orderNow());
    if (place.firstChild !== form.root) place.replaceChildren(form.root);
    controls.show({ ...choices, order: orderNow() });
  };
  const orderBy = (order: StayOrder) => {
    choices.order = order;
    show();
    tools.announce(
      `${ORDER_NAMES[`${order.by}-${order.direction}`]} first, ${countedNoun(stays.length, 'stay')}.`,
    );
  };
  function sortBy(column: StayOrder['by']): void {
    const now = orderNow();
    orderBy(now.by === column ? reversed(now) : NATURAL_ORDERS[column]);
  }

  const controls = drawControls({
    form(form) {
      choices.form = form;
      show();
      tools.announce(form === 'cards' ? 'Shown as cards.' : 'Shown as a table.');
    },
    order: orderBy,
  });
  show();
  return [controls.root, place];
}

/** The number of shown options, with a button for the others. */
function drawPart(
  { stays, inSet, view }: CardComparison,
  { format, showMore }: PageTools,
): readonly HTMLElement[] {
  if (inSet === 0) return [element('p', { class: 'message' }, 'There is no stay to compare.')];
  if (stays.length === inSet) return [];
  const asked = view === null ? '' : askedInWords(view, format);
  const shown = `${format.count(stays.length)} of ${format.count(inSet)} shown`;
  const more = showMore === null ? null : element('button', { type: 'button' }, 'Show more');
  more?.addEventListener('click', () => {
    more.disabled = true;
    showMore?.();
  });
  return [
    element(
      'div',
      { class: 'part' },
      element('p', {}, asked === '' ? `${shown}.` : `${shown}: ${asked}.`),
      more,
    ),
  ];
}

/** "Found", because a home that was not priced may cost less. */
function lowestBadge({ payload }: CardComparison): string | null {
  if (payload === null) return null;
  return payload.comparison_set.selection.complete ? 'Lowest total' : 'Lowest total found';
}

function drawAllResults({ payload }: CardComparison, tools: PageTools): readonly HTMLElement[] {
  const url = payload?.all_results_url ?? null;
  const brand = payload?.results[0]?.brand;
  if (url === null || brand === undefined) return [];
  return [drawLink({ url, words: `All results on ${brand}`, about: '', className: 'all-results' }, tools)];
}

/** The search, and facts about the whole set. */
function drawHeader(
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

/** Without `_meta` only the options are known. */
function drawPlainHeader(): HTMLElement {
  return element('header', {}, element('h1', {}, 'Stays to compare'));
}

/** The service's own notes are written for assistants, so they are folded away. */
function drawNotes({ notes }: ComparisonPayload): HTMLElement {
  return element(
    'details',
    { class: 'notes' },
    element('summary', {}, 'Notes that your assistant got with these prices'),
    element('p', {}, notes),
  );
}

type CardForm = 'cards' | 'table';

type Choices = {
  readonly form: (form: CardForm) => void;
  readonly order: (order: StayOrder) => void;
};

type CardControls = {
  readonly root: HTMLElement;
  show(state: { readonly form: CardForm; readonly order: StayOrder }): void;
};

function drawControls(choices: Choices): CardControls {
  const forms = (['cards', 'table'] as const).map((form) => {
    const button = element('button', { type: 'button' }, form === 'cards' ? 'Cards' : 'Table');
    button.addEventListener('click', () => choices.form(form));
    return { form, button };
  });
  const orders = Object.entries(ORDER_NAMES).map(([value, name]) => element('option', { value }, name));
  const select = element('select', {}, ...orders);
  select.addEventListener('change', () => choices.order(orderOf(select.value)));
  return {
    root: element(
      'div',
      { class: 'controls' },
      element(
        'div',
        { class: 'forms', role: 'group', 'aria-label': 'Show as' },
        ...forms.map(({ button }) => button),
      ),
      element('label', {}, 'Sort by ', select),
    ),
    show(state) {
      for (const { form, button } of forms)
        setAttributes(button, { 'aria-pressed': String(form === state.form) });
      select.value = `${state.order.by}-${state.order.direction}`;
    },
  };
}

function orderOf(value: string): StayOrder {
  const [by = '', direction] = value.split('-');
  return {
    by: by in NATURAL_ORDERS ? (by as StayOrder['by']) : 'price',
    direction: direction === 'descending' ? 'descending' : 'ascending',
  };
}

/** The options as a grid of cards. */
function drawCards(stays: readonly CardStay[], lowest: string | null, tools: PageTools): StaysForm {
  const cards = new Map(stays.map((stay) => [stay.id, drawCard(stay, lowest, tools)]));
  // Screen readers recognise a list without bullets only by its role.
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
