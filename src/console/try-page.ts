import { formatCell } from '../activity/reports/format-cell.ts';
import { FIELDS, type SearchField } from '../contract/payload-fields.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { ConsoleBrand } from './console-deps.ts';
import { html, type SafeHtml } from './html.ts';
import { type ConsolePage, tokenField } from './layout.ts';
import type { Trial, TrialStep } from './trial.ts';

/** Buttons for more would be a wall; the rest can be typed. */
const MAX_BUTTONS = 60;
const NAMES: Readonly<Record<SearchField, string>> = {
  brand_locked: 'Only this brand?',
  destination: 'Where to?',
  check_in_month: 'Which month?',
  check_in_day: 'Which day of arrival?',
  check_out: 'Which day of departure?',
  guests: 'How many people?',
  amenities: 'Narrowed by what?',
};

type Offered = { readonly value: string; readonly label: string };

/** The guided search for a person: what is asked and offered on the left, the answers as assistants get them on the right. */
export function tryPage(
  trial: Trial | null,
  { brands, formToken }: { readonly brands: readonly ConsoleBrand[]; readonly formToken: string },
): ConsolePage {
  return {
    title: 'Try',
    about:
      'The guided search as assistants walk it, with live prices. What you try is not counted as what travellers ask for; operators are really asked, so their prices and times count, and your quotes are in the ledger under “console”.',
    path: '/try',
    body: trial === null ? begin(brands, formToken) : walk(trial, formToken),
    ...(trial && {
      aside: html`<form method="post" action="/try">${tokenField(formToken)}<input type="hidden" name="action" value="reset"><button class="quiet">Begin anew</button></form>`,
    }),
  };
}

function begin(brands: readonly ConsoleBrand[], formToken: string): SafeHtml {
  return html`<form method="post" action="/try" class="card">
<p>A search begins with a session. A traveller may come through one brand, or through none.</p>
${tokenField(formToken)}<input type="hidden" name="action" value="open">
<div class="fields">
<label>Through <select name="source"><option value="">no brand: all of the network</option>${brands.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label>
<button>Open a session</button>
</div>
</form>`;
}

function walk({ token, steps }: Trial, formToken: string): SafeHtml {
  const last = steps.at(-1)?.answer ?? {};
  return html`<div class="trial">
<section class="card" aria-label="The search">${
    last.object === 'search_result'
      ? result(last as ResultBody, formToken)
      : question(last as Partial<SearchProblem>, formToken)
  }</section>
<section class="card raw" aria-labelledby="raw"><h2 id="raw">What the assistant gets</h2>
<p class="note">The answers as they are, the newest first; the token of the session is left out.</p>
${steps.toReversed().map((step, index) => rawStep(step, token, index === 0))}
</section>
</div>`;
}

function rawStep({ sent, answer }: TrialStep, token: string | null, isOpen: boolean): SafeHtml {
  const text = JSON.stringify(answer, null, 2);
  const shown = token === null ? text : text.replaceAll(token, '(session)');
  return html`<details${isOpen && html` open`}><summary>${sent}</summary><pre tabindex="0" aria-label="Answer to ${sent}"><code>${shown}</code></pre></details>`;
}

function question(step: Partial<SearchProblem>, formToken: string): SafeHtml {
  const next = step.next_required;
  const isRefused = step.error !== undefined && step.error !== 'incomplete_payload';
  const refusal = isRefused && html`<p class="fault" role="alert">${step.message ?? step.error}</p>`;
  const field = next !== undefined && isSearchField(next) ? next : null;
  return html`${refusal}${received(step.received ?? {})}
${
  field === null
    ? html`<p>There is nothing more to ask for in this search. Begin anew, above.</p>`
    : ask(field, offeredBy(step, field), formToken, step.suggestions ?? [])
}`;
}

function ask(
  field: SearchField,
  offered: readonly Offered[],
  formToken: string,
  suggestions: readonly string[],
): SafeHtml {
  return html`<h2>${NAMES[field]}</h2>
<p class="note">${FIELDS[field].description.meaning}</p>
${
  suggestions.length > 0 &&
  html`<p class="note">Near what was asked for:</p>${buttons(
    field,
    suggestions.map((value) => ({ value, label: value })),
    formToken,
  )}<p class="note">All that is on offer:</p>`
}
${buttons(field, offered.slice(0, MAX_BUTTONS), formToken)}
<form method="post" action="/try" class="free">${tokenField(formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}">
<label>Or in your own words <input name="value" maxlength="200" autocomplete="off" required></label><button class="quiet">Send</button></form>`;
}

function buttons(field: SearchField, offered: readonly Offered[], formToken: string): SafeHtml {
  return html`<ul class="values">${offered.map(
    ({ value, label }) =>
      html`<li><form method="post" action="/try">${tokenField(formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}"><button class="quiet" name="value" value="${value}">${label}</button></form></li>`,
  )}</ul>`;
}

function received(values: Readonly<Record<string, unknown>>): SafeHtml | false {
  const taken = Object.entries(values).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return (
    taken.length > 0 &&
    html`<ul class="received" aria-label="So far">${taken.map(([field, value]) => html`<li>${field.replaceAll('_', ' ')}: ${String(value)}</li>`)}</ul>`
  );
}

function offeredBy(
  { allowed_values: allowed = {}, places = {} }: Partial<SearchProblem>,
  field: SearchField,
): readonly Offered[] {
  const values: readonly unknown[] = allowed[field] ?? [];
  return values.map((one) => {
    if (typeof one !== 'object' || one === null) {
      return { value: String(one), label: places[String(one)]?.name ?? String(one) };
    }
    const { value, match_count, description } = one as {
      readonly value: unknown;
      readonly match_count?: number;
      readonly description?: string;
    };
    const label = description ?? (match_count === undefined ? String(value) : `${value} (${match_count})`);
    return { value: String(value), label };
  });
}

function result(body: ResultBody, formToken: string): SafeHtml {
  const { query, comparison_set: set, results, notes, available_requests: ways } = body;
  const { refine } = ways;
  return html`${received({ ...query, amenities: body.applied_filters.amenities })}
<h2>${results.length === 0 ? 'No home with a price' : `${set.options_count} of ${set.total_matches} homes, the cheapest first`}</h2>
<p class="note">${notes}</p>
<ol class="options">${results.map(
    ({ name, brand, location, capacity, quote, url, cancellation }) => html`<li>
<div><h3>${name}</h3><p class="small">${brand} · ${location} · ${capacity.summary}</p></div>
<div><p class="price">${formatCell(quote.amount, 'amount')} ${quote.currency}</p></div>
<p class="small">${cancellation.summary}</p>
<p class="small"><a href="${webAddress(url)}" rel="noopener noreferrer" target="_blank">On the operator’s website</a></p>
</li>`,
  )}</ol>
${
  refine &&
  refine.options.length > 0 &&
  html`<h3>${NAMES.amenities}</h3>${buttons(
    'amenities',
    refine.options.map(({ value, match_count }) => ({ value, label: `${value} (${match_count})` })),
    formToken,
  )}`
}
<form method="post" action="/try" class="free">${tokenField(formToken)}<input type="hidden" name="action" value="supply">
<label>Change <select name="field">${Object.keys(ways.change).map((field) => html`<option>${field}</option>`)}</select></label>
<label>to <input name="value" maxlength="200" autocomplete="off" required></label><button class="quiet">Search again</button></form>`;
}

/** Escaping does not make every address harmless. */
function webAddress(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}

function isSearchField(name: string): name is SearchField {
  return Object.hasOwn(FIELDS, name);
}
