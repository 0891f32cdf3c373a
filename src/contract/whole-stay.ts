import type { PlaceId } from '../catalogue/catalogue.ts';
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

const EXAMPLES: Readonly<Record<PayloadField, (stay: ExampleStay) => string>> = {
  // Every brand, so that the place of the example has something to offer.
  brand_locked: () => 'false',
  destination: ({ place }) => place,
  check_in_month: ({ checkIn }) => checkIn.slice(0, 7),
  check_in_day: ({ checkIn }) => checkIn,
  check_out: ({ checkOut }) => checkOut,
  guests: () => String(EXAMPLE_GUESTS),
};

/** The address that gives the whole stay in one request, with field names in braces. */
export function wholeStayTemplate(stay: WholeStay): string {
  return wholeStayAddress(stay, (field) => `{${field}}`);
}

/** The same address with values, to show their format. */
export function wholeStayExample(stay: WholeStay, example: ExampleStay): string {
  return wholeStayAddress(stay, (field) => EXAMPLES[field](example));
}

/** For models: how to give the whole stay in one request, with an example and hints for the fields. */
export function wholeStayHint(order: readonly PayloadField[], example: ExampleStay): string {
  const values = fieldsToGive(order).map((field) => `${field}=${EXAMPLES[field](example)}`);
  const hints = fieldsToGive(order).flatMap((field) => {
    const { hint } = FIELDS[field].description;
    return hint === undefined ? [] : [` ${field}: ${hint}`];
  });
  return `The whole stay can be given in one request: fill in url_template, for example with ${values.join('&')}.${hints.join('')}`;
}

function wholeStayAddress(
  { searchUrl, session, order, view }: WholeStay,
  textFor: (field: PayloadField) => string,
): string {
  let address = `${searchUrl}?session=${session}`;
  for (const field of fieldsToGive(order)) address += `&${field}=${textFor(field)}`;
  return view === 'full' ? address : `${address}&view=${view}`;
}

/** A field that another one sets need not be given. */
export function fieldsToGive(order: readonly PayloadField[]): readonly PayloadField[] {
  const given: PayloadField[] = [];
  for (const field of order) if (FIELDS[field].setBy === null) given.push(field);
  return given;
}

/** Shown to callers, who may send it unchanged. */
export type ExampleStay = {
  readonly place: PlaceId;
  readonly checkIn: string;
  readonly checkOut: string;
};

export const EXAMPLE_GUESTS = 2;
