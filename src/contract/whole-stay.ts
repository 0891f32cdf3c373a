import type { View } from './exchange.ts';
import { FIELDS, PAYLOAD_FIELDS, type PayloadField } from './payload-fields.ts';

/** Decides which fields a session asks for. */
export type SessionScope = { readonly isDirect: boolean; readonly isSingleLocation: boolean };

/** Another field of the same request sets these too. */
const IMPLIED_FIELDS: ReadonlySet<PayloadField> = new Set(['check_in_month']);

const EXAMPLE_VALUES: Readonly<Record<PayloadField, string>> = {
  brand_locked: 'true',
  destination: 'lisbon-pt',
  check_in_month: '2027-05',
  check_in_day: '2027-05-08',
  check_out: '2027-05-15',
  guests: '2',
};

/** The address that gives the whole stay at once, with the names of fields in braces. */
export function wholeStayTemplate(options: WholeStayOptions): string {
  return wholeStayAddress(options, (field) => `{${field}}`);
}

/** The same address with values, to show their format. */
export function wholeStayExample(options: WholeStayOptions): string {
  return wholeStayAddress(options, (field) => EXAMPLE_VALUES[field]);
}

/** One sentence with an example, for a model that reads it. */
export function wholeStayHint(scope: SessionScope): string {
  const example = wholeStayFields(scope).map((field) => `${field}=${EXAMPLE_VALUES[field]}`);
  return `The whole stay can be given in one request: fill in url_template, for example with ${example.join('&')}.`;
}

type WholeStayOptions = {
  /** The address of search, relative or whole. */
  readonly searchUrl: string;
  readonly session: string;
  readonly scope: SessionScope;
  readonly view: View;
};

function wholeStayAddress(
  { searchUrl, session, scope, view }: WholeStayOptions,
  textFor: (field: PayloadField) => string,
): string {
  const values = wholeStayFields(scope).map((field) => `&${field}=${textFor(field)}`);
  const chosenView = view === 'full' ? '' : `&view=${view}`;
  return `${searchUrl}?session=${session}${values.join('')}${chosenView}`;
}

function wholeStayFields({ isDirect, isSingleLocation }: SessionScope): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter((field) => {
    const { absentOn } = FIELDS[field];
    if (absentOn === 'direct' && isDirect) return false;
    if (absentOn === 'single_location' && isSingleLocation) return false;
    return !IMPLIED_FIELDS.has(field);
  });
}
