import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { FIELDS, isPayloadField, type PayloadField } from '../contract/payload-fields.ts';
import { type AskingBody, offeredFor } from './question-answer.ts';

export type TravellerForm = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;
type FormField = TravellerForm['requestedSchema']['properties'][string];

/** Hosts show a list of choices; longer ones are typed. */
const MAX_CHOICES = 60;
const DATE_FIELDS: readonly PayloadField[] = ['check_in_day', 'check_out'];
const TITLES: Readonly<Record<PayloadField, string>> = {
  brand_locked: 'Only this brand',
  destination: 'Where to',
  check_in_month: 'Month of arrival',
  check_in_day: 'Arrival',
  check_out: 'Departure',
  guests: 'Guests',
};

/** A form for everything that is missing, so that the traveller is asked once. Null when nothing is. */
export function travellerForm(body: AskingBody): TravellerForm | null {
  const missing = body.missing_fields.filter(isPayloadField).filter((field, _at, all) => {
    const { setBy } = FIELDS[field];
    // A day of arrival sets its month.
    return setBy === null || !all.some((other) => other === setBy);
  });
  if (missing.length === 0) return null;
  return {
    message: `Please give: ${missing.map((field) => TITLES[field].toLowerCase()).join(', ')}.`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(missing.map((field) => [field, formField(field, body)])),
      required: [...missing],
    },
  };
}

function formField(field: PayloadField, body: AskingBody): FormField {
  const title = TITLES[field];
  const description = FIELDS[field].description.meaning;
  if (field === 'brand_locked') return { type: 'boolean', title, description };
  const offered = offeredFor(field, body);
  if (offered.length > 0 && offered.length <= MAX_CHOICES) {
    const oneOf = offered.map(({ value, means }) => ({
      const: String(value),
      title: means ?? String(value),
    }));
    return { type: 'string', title, description, oneOf };
  }
  return DATE_FIELDS.includes(field)
    ? { type: 'string', format: 'date', title, description }
    : { type: 'string', title, description };
}
