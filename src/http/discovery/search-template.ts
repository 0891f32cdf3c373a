import { fieldOrder } from '../../contract/payload-fields.ts';
import { PATHS } from '../../contract/vocabulary.ts';
import { fieldsToGive, wholeStayTemplate } from '../../contract/whole-stay.ts';
import { addressAt } from './discovery-paths.ts';

const ORDER = fieldOrder(['direct']);

/** The whole stay in one address, over every brand. */
export function searchTemplate(publicUrl: string | null): string {
  const searchUrl = addressAt(publicUrl, PATHS.search);
  return wholeStayTemplate({ searchUrl, session: '{session}', order: ORDER, view: 'compact' });
}

/** The same as a body, in the notation of the address. */
export function searchBodyTemplate(): string {
  return JSON.stringify(Object.fromEntries(fieldsToGive(ORDER).map((field) => [field, `{${field}}`])));
}
