import { NATURAL_ORDERS, ORDER_NAMES, type StayOrder } from '../content/sort-stays.ts';
import { element, setAttributes } from './element.ts';

export type CardForm = 'cards' | 'table';

type Choices = {
  readonly form: (form: CardForm) => void;
  readonly order: (order: StayOrder) => void;
};

export type CardControls = {
  readonly root: HTMLElement;
  show(state: { readonly form: CardForm; readonly order: StayOrder }): void;
};

export function drawControls(choices: Choices): CardControls {
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
