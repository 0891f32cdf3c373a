import type { ComparisonPayload, ComparisonView } from '../comparison-payload.ts';
import { factsInWords, filtersInWords, placeInWords, stayInWords } from '../content/set-words.ts';
import { element, operatorText } from './element.ts';
import type { PageTools } from './page-tools.ts';

/** What was searched, and what the whole set is. */
export function drawHeader(
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
export function drawPlainHeader(): HTMLElement {
  return element('header', {}, element('h1', {}, 'Stays to compare'));
}

/** The service's own notes are written for assistants, so they are folded away. */
export function drawNotes({ notes }: ComparisonPayload): HTMLElement {
  return element(
    'details',
    { class: 'notes' },
    element('summary', {}, 'Notes that your assistant got with these prices'),
    element('p', {}, notes),
  );
}
