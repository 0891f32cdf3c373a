import type { CardStay } from '../content/card-stay.ts';
import type { CardContent } from '../content/read-tool-result.ts';
import { askedInWords } from '../content/set-words.ts';
import { NATURAL_ORDERS, ORDER_NAMES, reversed, type StayOrder, sortStays } from '../content/sort-stays.ts';
import { countedNoun } from '../content/stay-words.ts';
import { drawCards } from './draw-cards.ts';
import { type CardForm, drawControls } from './draw-controls.ts';
import { drawHeader, drawNotes, drawPlainHeader } from './draw-header.ts';
import { drawLink } from './draw-link.ts';
import { drawTable } from './draw-table.ts';
import { element } from './element.ts';
import type { PageTools } from './page-tools.ts';
import type { StaysForm } from './stays-form.ts';

type CardComparison = Extract<CardContent, { kind: 'comparison' }>;

/** What the traveller chose. It outlives a new drawing, and nothing else. */
export type CardChoices = { form: CardForm; order: StayOrder | null; showsAll: boolean };

export function drawComparison(
  content: CardComparison,
  choices: CardChoices,
  tools: PageTools,
): readonly HTMLElement[] {
  const { payload, stays } = content;
  const header = drawComparisonHeader(content, tools);
  const notes = payload === null ? [] : [drawNotes(payload)];
  if (stays.length === 0) {
    return [header, element('p', { class: 'message' }, 'There is no stay to compare.'), ...notes];
  }
  return [header, ...drawStays(content, choices, tools), ...drawAllResults(content, tools), ...notes];
}

/** Tells until when the prices hold, so it is drawn again when they no longer do. */
export function drawComparisonHeader({ payload, view }: CardComparison, tools: PageTools): HTMLElement {
  return payload === null ? drawPlainHeader() : drawHeader(payload, view, tools);
}

function drawStays(content: CardComparison, choices: CardChoices, tools: PageTools): readonly HTMLElement[] {
  const { stays, view } = content;
  const asked = askedFor(content);
  const isPart = asked.length < stays.length;
  const firstOrder = NATURAL_ORDERS[view?.sort ?? 'price'];

  const place = element('div', { class: 'stays' });
  const explanation = element('p', { class: 'asked' });
  const forms: Partial<Record<CardForm, StaysForm>> = {};
  const formOf = (form: CardForm) => {
    forms[form] ??=
      form === 'cards' ? drawCards(stays, lowestBadge(content), tools) : drawTable(stays, tools, sortBy);
    return forms[form];
  };
  const orderNow = () => choices.order ?? firstOrder;
  const shownNow = () => {
    const chosen = isPart && !choices.showsAll ? asked : stays;
    // The order that was asked for is the assistant's answer, and is kept until the traveller chooses another.
    return choices.order === null && chosen === asked ? asked : sortStays(chosen, orderNow());
  };

  const show = () => {
    const form = formOf(choices.form);
    const shown = shownNow();
    form.show(shown, orderNow());
    if (place.firstChild !== form.root) place.replaceChildren(form.root);
    controls.show({ ...choices, order: orderNow() });
    explanation.textContent = isPart ? partInWords(content, shown.length, tools) : '';
    explanation.hidden = !isPart;
  };
  const orderBy = (order: StayOrder) => {
    choices.order = order;
    show();
    tools.announce(
      `${ORDER_NAMES[`${order.by}-${order.direction}`]} first, ${countedNoun(shownNow().length, 'stay')}.`,
    );
  };
  function sortBy(column: StayOrder['by']): void {
    const now = orderNow();
    orderBy(now.by === column ? reversed(now) : NATURAL_ORDERS[column]);
  }

  const controls = drawControls(
    {
      form(form) {
        choices.form = form;
        show();
        tools.announce(form === 'cards' ? 'Shown as cards.' : 'Shown as a table.');
      },
      order: orderBy,
      all(showsAll) {
        choices.showsAll = showsAll;
        show();
        tools.announce(`${countedNoun(shownNow().length, 'stay')} shown.`);
      },
    },
    isPart ? { shown: asked.length, all: stays.length } : null,
  );
  show();
  return [controls.root, explanation, place];
}

function askedFor({ stays, view }: CardComparison): readonly CardStay[] {
  if (view === null) return stays;
  const byId = new Map(stays.map((stay) => [stay.id, stay]));
  return view.property_ids.flatMap((id) => byId.get(id) ?? []);
}

function partInWords({ stays, view }: CardComparison, shown: number, { format }: PageTools): string {
  const words = view === null ? '' : askedInWords(view, format);
  const number = `${format.count(shown)} of ${format.count(stays.length)} shown`;
  return words === '' || shown === stays.length ? `${number}.` : `${number}: ${words}.`;
}

/** A home that was not priced may cost less. */
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
