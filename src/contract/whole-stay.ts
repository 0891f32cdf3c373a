import type { View } from './exchange.ts';
import { FIELDS, type PayloadField } from './payload-fields.ts';

export type WholeStay = {
  /** The address of search, relative or whole. */
  readonly searchUrl: string;
  readonly session: string;
  /** The fields that the session asks for. */
  readonly order: readonly PayloadField[];
  readonly view: View;
};

/** The address that gives the whole stay at once, with the names of fields in braces. */
export function wholeStayTemplate(stay: WholeStay): string {
  return wholeStayAddress(stay, (field) => `{${field}}`);
}

/** The same address with values, to show their format. */
export function wholeStayExample(stay: WholeStay): string {
  return wholeStayAddress(stay, (field) => FIELDS[field].example);
}

/** One sentence with an example, for a model that reads it. */
export function wholeStayHint(order: readonly PayloadField[]): string {
  const example = fieldsToGive(order).map((field) => `${field}=${FIELDS[field].example}`);
  const hints = fieldsToGive(order).flatMap((field) => {
    const { hint } = FIELDS[field].description;
    return hint === undefined ? [] : [` ${field}: ${hint}`];
  });
  return `The whole stay can be given in one request: fill in url_template, for example with ${example.join('&')}.${hints.join('')}`;
}

function wholeStayAddress(
  { searchUrl, session, order, view }: WholeStay,
  textFor: (field: PayloadField) => string,
): string {
  const values = fieldsToGive(order).map((field) => `&${field}=${textFor(field)}`);
  const chosenView = view === 'full' ? '' : `&view=${view}`;
  return `${searchUrl}?session=${session}${values.join('')}${chosenView}`;
}

/** A field that another one sets need not be given. */
function fieldsToGive(order: readonly PayloadField[]): readonly PayloadField[] {
  return order.filter((field) => FIELDS[field].setBy === null);
}
