import { moneyText } from '../analytics/reports/format-cell.ts';
import type { Option } from '../contract/option.ts';
import { type AmenityOffer, FIELDS, type SearchField } from '../contract/payload-fields.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import {
  type ConsoleBrand,
  type ConsoleDeps,
  type ConsoleRoute,
  type Pages,
  seeOther,
} from './console-routes.ts';
import { type ConsolePage, html, type SafeHtml, tokenField } from './layout.ts';
import {
  createTrials,
  departureInWords,
  fieldWords,
  isResult,
  refusedInWords,
  type Trial,
  type TrialNames,
  type TrialStep,
  valueWords,
} from './trial.ts';

/** The owner's guided search, which the session stores until another is begun. */
export function tryRoutes(deps: ConsoleDeps, { show }: Pages): readonly ConsoleRoute[] {
  const trials = createTrials(deps.serveOperation, deps.random);
  return [
    {
      method: 'GET',
      path: '/try',
      serve(request) {
        const { trial, formToken } = request.session;
        return show(tryPage(trial, formToken, deps), request);
      },
    },
    {
      method: 'POST',
      path: '/try',
      async serve({ form, session }) {
        const { trial } = session;
        const action = form.get('action');
        const source = form.get('source') ?? '';
        if (action === 'reset') session.trial = null;
        else if (action === 'open') session.trial = await trials.open(source === '' ? null : source);
        else if (trial)
          session.trial = await trials.supply(trial, form.get('field') ?? '', form.get('value') ?? '');
        return seeOther('/try');
      },
    },
  ];
}

/** More buttons would fill the page; the rest can be typed. */
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
/** Only for questions that need an explanation. */
const HINTS: Partial<Readonly<Record<SearchField, string>>> = {
  guests: 'Children and infants count too.',
  amenities: 'Every home has to have it. Choose one at a time; they add up.',
};

type Offered = { readonly value: string; readonly label: string };

/** The context for drawing a trial. */
type TrialFrame = {
  readonly formToken: string;
  readonly names: TrialNames;
  /** The changeable fields of the last result; the refusal of a change does not name them. */
  readonly changeable: readonly string[];
};

/** The guided search for a person: questions and offers on the left, the answers as assistants receive them on the right. */
function tryPage(trial: Trial | null, formToken: string, { brands, placeName }: ConsoleDeps): ConsolePage {
  const brandName = (id: string) => brands.find((one) => one.id === id)?.name;
  const results = (trial?.steps ?? []).map(({ answer }) => answer).filter(isResult);
  // Only results have the operators' names of amenities.
  const options = results.flatMap((one) => one.results);
  return {
    title: 'Try',
    about:
      'The guided search as assistants walk it, with live prices. What you try is not counted as what travellers ask for; operators are really asked, so their prices and times count, and your quotes are in the ledger under “console”.',
    path: '/try',
    body:
      trial === null
        ? begin(brands, formToken)
        : walk(trial, {
            formToken,
            names: {
              place: placeName,
              brand: brandName,
              amenities: Object.assign({}, ...options.map(({ amenities }) => amenities)),
            },
            changeable: Object.keys(results.at(-1)?.available_requests.change ?? {}),
          }),
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

function walk({ token, steps }: Trial, frame: TrialFrame): SafeHtml {
  const last = steps.at(-1)?.answer;
  return html`<div class="trial">
<section class="card" aria-label="The search">${
    last && isResult(last) ? result(last, frame) : question((last ?? {}) as Partial<SearchProblem>, frame)
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

function question(step: Partial<SearchProblem>, frame: TrialFrame): SafeHtml {
  const next = step.next_required;
  const isRefused = step.error !== undefined && step.error !== 'incomplete_payload';
  const refusal = isRefused && html`<p class="fault" role="alert">${refusedInWords(step)}</p>`;
  const field = next !== undefined && isSearchField(next) ? next : null;
  return html`${refusal}${nearby(step, frame)}${received(step.received ?? {}, frame)}
${step.result_ready === true && html`${changeForm(frame, step.invalid_field)}${backToResult(frame)}`}
${
  field === null
    ? html`<p>There is nothing more to ask for in this search. Begin anew, above.</p>`
    : ask(field, offeredBy(step, field, frame), frame)
}`;
}

/** Alternatives belong to the refused field, which need not be the next one. */
function nearby(step: Partial<SearchProblem>, frame: TrialFrame): SafeHtml | false {
  const { invalid_field: field, suggestions = [], candidates = [] } = step;
  const values = [...new Set([...candidates, ...suggestions])];
  return (
    field !== undefined &&
    isSearchField(field) &&
    values.length > 0 &&
    html`<p class="note">Near what was asked for:</p>${buttons(
      field,
      values.map((value) => ({ value, label: labelOf(field, value, step, frame) })),
      frame,
    )}`
  );
}

function backToResult({ formToken }: TrialFrame): SafeHtml {
  return html`<form method="post" action="/try" class="back">${tokenField(formToken)}<input type="hidden" name="action" value="supply"><button class="quiet">Back to the result</button></form>`;
}

function ask(field: SearchField, offered: readonly Offered[], frame: TrialFrame): SafeHtml {
  return html`<h2>${NAMES[field]}</h2>
${HINTS[field] !== undefined && html`<p class="note">${HINTS[field]}</p>`}
${buttons(field, offered.slice(0, MAX_BUTTONS), frame)}
<form method="post" action="/try" class="free">${tokenField(frame.formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}">
<label>Or in your own words <input name="value" maxlength="200" autocomplete="off"></label><button class="quiet">Send</button></form>`;
}

function buttons(field: SearchField, offered: readonly Offered[], { formToken }: TrialFrame): SafeHtml {
  return html`<ul class="values">${offered.map(
    ({ value, label }) =>
      html`<li><form method="post" action="/try">${tokenField(formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}"><button class="quiet" name="value" value="${value}">${label}</button></form></li>`,
  )}</ul>`;
}

function received(values: Readonly<Record<string, unknown>>, { names }: TrialFrame): SafeHtml | false {
  const taken = Object.entries(values).flatMap(([field, value]) =>
    [value].flat().map((one) => `${fieldWords(field)}: ${valueWords(field, String(one), names)}`),
  );
  return (
    taken.length > 0 &&
    html`<ul class="received" aria-label="So far">${taken.map((text) => html`<li>${text}</li>`)}</ul>`
  );
}

function offeredBy(step: Partial<SearchProblem>, field: SearchField, frame: TrialFrame): readonly Offered[] {
  const { allowed_values: allowed = {}, places = {} } = step;
  const values: readonly unknown[] = allowed[field] ?? [];
  return values.map((one) => {
    if (typeof one !== 'object' || one === null) {
      const value = String(one);
      return { value, label: places[value]?.name ?? labelOf(field, value, step, frame) };
    }
    if (field === 'amenities') return amenityOffer(one as AmenityOffer, frame.names);
    const { value, description } = one as { readonly value: unknown; readonly description?: string };
    return { value: String(value), label: description ?? labelOf(field, String(value), step, frame) };
  });
}

function labelOf(
  field: SearchField,
  value: string,
  { received: taken = {} }: Partial<SearchProblem>,
  { names }: TrialFrame,
): string {
  return field === 'check_out' && taken.check_in_day !== undefined
    ? departureInWords(value, taken.check_in_day)
    : valueWords(field, value, names);
}

function amenityOffer({ value, match_count: having, of }: AmenityOffer, names: TrialNames): Offered {
  return { value, label: `${valueWords('amenities', value, names)} (${having} of ${homes(of)})` };
}

function homes(count: number): string {
  return `${count} ${count === 1 ? 'home' : 'homes'}`;
}

function result(body: ResultBody, frame: TrialFrame): SafeHtml {
  const { query, comparison_set: set, results, available_requests: ways, refusals = [] } = body;
  const { refine } = ways;
  return html`${refusals.map(({ field, ...refusal }) => html`<p class="fault" role="alert">${refusedInWords({ ...refusal, ...(field !== undefined && { invalid_field: field }) })}</p>`)}
${received({ ...query, amenities: body.applied_filters.amenities }, frame)}
<h2>${results.length === 0 ? 'No home with a price' : `${set.options_count} of ${homes(set.total_matches)}, the cheapest first`}</h2>
${missingHomes(body)}
<ol class="options">${results.map(optionCard)}</ol>
${
  refine &&
  refine.options.length > 0 &&
  html`<h3>${NAMES.amenities}</h3>${buttons(
    'amenities',
    refine.options.map((one) => amenityOffer(one, frame.names)),
    frame,
  )}`
}
${changeForm(frame)}`;
}

function changeForm({ formToken, changeable }: TrialFrame, selected?: string): SafeHtml | false {
  return (
    changeable.length > 0 &&
    html`<form method="post" action="/try" class="free">${tokenField(formToken)}<input type="hidden" name="action" value="supply">
<label>Change <select name="field">${changeable.map((field) => html`<option value="${field}"${field === selected && html` selected`}>${fieldWords(field)}</option>`)}</select></label>
<label>to <input name="value" maxlength="200" autocomplete="off"></label><button class="quiet">Search again</button></form>`
  );
}

function isSearchField(name: string): name is SearchField {
  return Object.hasOwn(FIELDS, name);
}

/** A home of a result, for a person. */
function optionCard(option: Option): SafeHtml {
  const { property_id: property, name, brand, location, capacity, quote, url, cancellation } = option;
  const { nxq } = quote;
  const money = (amount: number) => moneyText(amount, quote.currency);
  return html`<li>
<div class="option-head"><h3>${name}</h3><p class="price">${money(quote.amount)}</p></div>
<p class="small">${brand} · ${location} · ${capacity.summary}</p>
${
  quote.line_items.length > 0 &&
  html`<ul class="small lines">${quote.line_items.map(({ label, amount }) => html`<li>${label}: ${money(amount)}</li>`)}</ul>`
}
<p class="small">${guaranteeText(quote)}</p>
<p class="small">${cancellation.summary}</p>
<p class="small"><a href="${webAddress(url)}" rel="noopener noreferrer" target="_blank">On the operator’s website</a></p>
<p class="small">Quote <a href="/quotes?${String(new URLSearchParams({ nxq }))}"><code>${nxq}</code></a> · Property <code>${property}</code></p>
</li>`;
}

function guaranteeText({ price_guarantee: kind, price_valid_until: until }: Option['quote']): string {
  return kind === 'held'
    ? `The operator holds this price until ${until.slice(0, 16).replace('T', ' ')} UTC.`
    : 'True when it was asked for; the operator’s website confirms it.';
}

/** Escaping does not make every URL harmless. */
function webAddress(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}

type Selection = ResultBody['comparison_set']['selection'];
type Coverage = ResultBody['comparison_set']['coverage'][number];

/**
 * Explains briefly why an assistant gets fewer homes than match. The assistant's notes are long, and folded unless operators can be asked
 * again.
 */
function missingHomes({
  comparison_set: { selection, coverage },
  available_requests: { ask_again },
  notes,
}: ResultBody): SafeHtml {
  const reasons = [...coverage.flatMap(reasonsOf), ...unasked(selection, coverage)];
  const { shown, priced } = selection;
  return html`${reasons.length > 0 && html`<p class="fault">${reasons.join(' ')}</p>`}
${shown < priced && html`<p class="note">Assistants get ${shown} of ${priced} prices: the cheapest of each brand, then the cheapest of all.</p>`}
<details${ask_again !== undefined && html` open`}><summary>What the assistant is told about these prices</summary><p class="note">${notes}</p></details>`;
}

function reasonsOf({ brand, asked, failed, unavailable, implausible }: Coverage): string[] {
  const of = (count: number) => `${count} of ${asked} ${asked === 1 ? 'home' : 'homes'}`;
  const calendar = `although its calendar had ${unavailable === 1 ? 'it' : 'them'} free`;
  return [
    ...(failed > 0 ? [`${brand} gave no usable answer for ${of(failed)}.`] : []),
    ...(unavailable > 0 ? [`${brand} refused ${of(unavailable)}, ${calendar}.`] : []),
    ...(implausible > 0 ? [`${brand} gave a price that cannot be true for ${of(implausible)}.`] : []),
  ];
}

/** Homes that an operator refused no longer match. */
function unasked({ matches }: Selection, coverage: readonly Coverage[]): string[] {
  const answered = coverage.reduce((sum, { asked, unavailable }) => sum + asked - unavailable, 0);
  return matches > answered ? [`No price was asked for ${matches - answered} of ${matches} homes.`] : [];
}
