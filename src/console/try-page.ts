import { formatCell } from '../analytics/reports/format-cell.ts';
import { wordsFor } from '../analytics/reports/words.ts';
import { type Body, bodyOf } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';
import type { Option } from '../contract/option.ts';
import { type AmenityOffer, FIELDS, SEARCH_FIELDS, type SearchField } from '../contract/payload-fields.ts';
import { sentenceOf } from '../contract/refusal-reasons.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import { valid } from '../parsing/reading.ts';
import { operationRequest } from '../requests/serve-operation.ts';
import { CONSOLE_ASSISTANT } from '../sessions/session.ts';
import { MS_PER_DAY, parseDay } from '../stay/day.ts';
import { counted, optionInFull } from '../stay/wording.ts';
import {
  type ConsoleBrand,
  type ConsoleDeps,
  type ConsoleRoute,
  type Pages,
  seeOther,
} from './console-routes.ts';
import { type ConsolePage, html, type SafeHtml, tokenField } from './layout.ts';
import type { Trial } from './owner-sessions.ts';

type TrialStep = Trial['steps'][number];

/** Not an assistant, so trials do not count as demand. The operators' answers count. */
const CALLER = { assistant: CONSOLE_ASSISTANT, address: '127.0.0.1' };
const ID_BYTES = 8;
/** Results are large, so the oldest answers are dropped. */
const MAX_STEPS = 20;
/** More buttons would fill the page; the rest can be typed. */
const MAX_BUTTONS = 60;

const QUESTIONS: Readonly<Record<SearchField, string>> = {
  brand_locked: 'Only this brand?',
  destination: 'Where to?',
  check_in_month: 'Which month?',
  check_in_day: 'Which day of arrival?',
  check_out: 'Which day of departure?',
  guests: 'How many people?',
  amenities: 'Narrowed by what?',
};

/** The owner's guided search, which the session stores until another is begun. */
export function tryRoutes(deps: ConsoleDeps, { show }: Pages): readonly ConsoleRoute[] {
  const { serveOperation, random } = deps;

  async function call(
    operation: OperationName,
    token: string | undefined,
    values: Readonly<Record<string, string>>,
  ): Promise<Body> {
    const request = operationRequest({
      id: `console-${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`,
      ...{ operation, caller: CALLER, token, keys: [], versions: [] },
      values: valid(new Map(Object.entries(values))),
      // Answers repeat the method, so use the assistants' one.
      method: operation === 'readResult' ? 'GET' : 'POST',
    });
    return bodyOf(await serveOperation(request));
  }

  async function open(source: string): Promise<Trial> {
    const opened = await call('openSession', undefined, source === '' ? {} : { source });
    const sent = source === '' ? 'Open a session' : `Open a session through ${source}`;
    const token = 'session' in opened ? opened.session : null;
    const steps = [{ sent, answer: opened }];
    if (token === null) return { token, steps };
    return {
      token,
      steps: [...steps, { sent: 'What is asked for first?', answer: await call('search', token, {}) }],
    };
  }

  /** A blank value shows the state of the search, without the last refusal. */
  async function supply({ token, steps }: Trial, field: string, value: string): Promise<Trial> {
    if (token === null) return { token, steps };
    const last = steps.at(-1)?.answer;
    const hasResult = last && (isResult(last) || ('result_ready' in last && last.result_ready === true));
    let step: TrialStep;
    if (value.trim() !== '') {
      step = {
        sent: `${wordsFor(field)}: ${value}`,
        answer: await call('search', token, { [field]: value }),
      };
    } else if (hasResult) {
      step = { sent: 'The result again', answer: await call('readResult', token, {}) };
    } else {
      step = { sent: 'What is asked for now?', answer: await call('search', token, {}) };
    }
    return { token, steps: [...steps, step].slice(-MAX_STEPS) };
  }

  return [
    {
      method: 'GET',
      path: '/try',
      serve: (request) => show(tryPage(request.session.trial, request.session.formToken, deps), request),
    },
    {
      method: 'POST',
      path: '/try',
      async serve({ form, session }) {
        const { trial } = session;
        const action = form.get('action');
        if (action === 'reset') session.trial = null;
        else if (action === 'open') session.trial = await open(form.get('source') ?? '');
        else if (trial) session.trial = await supply(trial, form.get('field') ?? '', form.get('value') ?? '');
        return seeOther('/try');
      },
    },
  ];
}

function isResult(body: Body): body is ResultBody {
  return 'object' in body && body.object === 'search_result';
}

/** The context for drawing a trial. */
type TrialFrame = {
  readonly formToken: string;
  readonly now: number;
  /** A value of a field for people. */
  readonly valueWords: (field: string, value: string) => string;
  /** The changeable fields of the last result; the refusal of a change does not name them. */
  readonly changeable: readonly string[];
};

/** The guided search for a person: questions and offers on the left, the answers as assistants receive them on the right. */
function tryPage(trial: Trial | null, formToken: string, deps: ConsoleDeps): ConsolePage {
  const results = (trial?.steps ?? []).map(({ answer }) => answer).filter(isResult);
  const changeable = Object.keys(results.at(-1)?.available_requests.change ?? {});
  const valueWords = createValueWords(deps, results);
  const resetForm = html`<form method="post" action="/try">${tokenField(formToken)}<input type="hidden" name="action" value="reset"><button class="quiet">Begin anew</button></form>`;
  return {
    title: 'Try',
    about:
      'The guided search as assistants walk it, with live prices. What you try is not counted as what travellers ask for; operators are really asked, so their prices and times count, and your quotes are in the ledger under “console”.',
    path: '/try',
    body:
      trial === null
        ? begin(deps.brands, formToken)
        : walk(trial, { formToken, valueWords, changeable, now: deps.clock.now() }),
    ...(trial && { aside: resetForm }),
  };
}

/** Names for the identifiers in answers. Only results have the operators' names of amenities. */
function createValueWords({ brands, placeName }: ConsoleDeps, results: readonly ResultBody[]) {
  const amenities = new Map(
    results.flatMap((one) => one.results.flatMap((option) => Object.entries(option.amenities ?? {}))),
  );
  return (field: string, value: string): string => {
    switch (field) {
      case 'destination':
        return placeName(value) ?? value;
      case 'source':
        return brands.find(({ id }) => id === value)?.name ?? value;
      case 'brand_locked':
        return value === 'true' ? 'only this brand' : 'all brands';
      case 'check_in_month':
        return formatCell(value, 'month');
      case 'check_in':
      case 'check_in_day':
      case 'check_out': {
        const day = parseDay(value);
        // Sat, 15 May 2027
        return day === undefined ? value : new Date(day * MS_PER_DAY).toUTCString().slice(0, 16);
      }
      case 'amenities':
        return amenities.get(value) ?? wordsFor(value);
      default:
        return value;
    }
  };
}

/** Members of answers that are not search fields. */
const MEMBER_WORDS = new Map([
  ['source', 'through'],
  ['check_in', 'day of arrival'],
]);

/** The reports' words for a field. */
function fieldWords(field: string): string {
  return MEMBER_WORDS.get(field) ?? wordsFor(field);
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
  const { next_required: next, error, invalid_field: invalid, suggestions = [], candidates = [] } = step;
  const isRefused = error !== undefined && error !== 'incomplete_payload';
  const near = [...new Set([...candidates, ...suggestions])];
  const labelled = (field: string) => near.map((value) => [value, frame.valueWords(field, value)] as const);
  return html`${isRefused && html`<p class="fault" role="alert">${refusedInWords(step)}</p>`}
${invalid !== undefined && isSearchField(invalid) && near.length > 0 && html`<p class="note">Near what was asked for:</p>${buttons(invalid, labelled(invalid), frame)}`}
${received(step.received ?? {}, frame)}
${
  step.result_ready === true &&
  html`${changeForm(frame, invalid)}<form method="post" action="/try" class="back">${tokenField(frame.formToken)}<input type="hidden" name="action" value="supply"><button class="quiet">Back to the result</button></form>`
}
${
  next !== undefined && isSearchField(next)
    ? ask(next, offeredBy(step, next, frame), frame)
    : html`<p>There is nothing more to ask for in this search. Begin anew, above.</p>`
}`;
}

type ShownRefusal = Pick<Partial<SearchProblem>, 'error' | 'message' | 'reason' | 'invalid_field'>;

/** A refusal for a person: the assistant's text without the names of fields. */
function refusedInWords({ error = '', message, reason, invalid_field: field }: ShownRefusal): string {
  const sentence =
    field === undefined || reason === undefined
      ? (message ?? wordsFor(error))
      : `${fieldWords(field)}: ${sentenceOf(reason, field)}`;
  const text = SEARCH_FIELDS.reduce(
    (words, name) => words.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), fieldWords(name)),
    sentence,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value with its label for people. */
type Offered = readonly [value: string, label: string];

function ask(field: SearchField, offered: readonly Offered[], frame: TrialFrame): SafeHtml {
  return html`<h2>${QUESTIONS[field]}</h2>
${buttons(field, offered.slice(0, MAX_BUTTONS), frame)}
<form method="post" action="/try" class="free">${tokenField(frame.formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}">
<label>Or in your own words <input name="value" maxlength="200" autocomplete="off"></label><button class="quiet">Send</button></form>`;
}

function buttons(field: SearchField, offered: readonly Offered[], { formToken }: TrialFrame): SafeHtml {
  return html`<ul class="values">${offered.map(
    ([value, label]) =>
      html`<li><form method="post" action="/try">${tokenField(formToken)}<input type="hidden" name="action" value="supply"><input type="hidden" name="field" value="${field}"><button class="quiet" name="value" value="${value}">${label}</button></form></li>`,
  )}</ul>`;
}

function received(values: Readonly<Record<string, unknown>>, { valueWords }: TrialFrame): SafeHtml | false {
  const taken = Object.entries(values).flatMap(([field, value]) =>
    [value].flat().map((one) => `${fieldWords(field)}: ${valueWords(field, String(one))}`),
  );
  return (
    taken.length > 0 &&
    html`<ul class="received" aria-label="So far">${taken.map((text) => html`<li>${text}</li>`)}</ul>`
  );
}

function offeredBy(
  { allowed_values: allowed = {}, places = {} }: Partial<SearchProblem>,
  field: SearchField,
  frame: TrialFrame,
): readonly Offered[] {
  const values: readonly unknown[] = allowed[field] ?? [];
  return values.map((one): Offered => {
    if (typeof one !== 'object' || one === null) {
      const value = String(one);
      return [value, places[value]?.name ?? frame.valueWords(field, value)];
    }
    if (field === 'amenities') return amenityOffer(one as AmenityOffer, frame);
    const { value, description } = one as { readonly value: unknown; readonly description?: string };
    return [String(value), description ?? frame.valueWords(field, String(value))];
  });
}

function amenityOffer({ value, match_count: having, of }: AmenityOffer, { valueWords }: TrialFrame): Offered {
  return [value, `${valueWords('amenities', value)} (${having} of ${counted(of, 'home')})`];
}

function result(body: ResultBody, frame: TrialFrame): SafeHtml {
  const { query, comparison_set: set, results, available_requests: ways, refusals = [] } = body;
  const offered = (ways.refine?.options ?? []).map((one) => amenityOffer(one, frame));
  return html`${refusals.map(({ field, ...refusal }) => html`<p class="fault" role="alert">${refusedInWords({ ...refusal, ...(field !== undefined && { invalid_field: field }) })}</p>`)}
${received({ ...query, amenities: body.applied_filters.amenities }, frame)}
<h2>${results.length === 0 ? 'No home with a price' : `${set.options_count} of ${counted(set.total_matches, 'home')}, the cheapest first`}</h2>
<details${ways.ask_again !== undefined && html` open`}><summary>What the assistant is told about these prices</summary><p class="note">${body.notes}</p></details>
<ol class="options">${results.map((option) => optionCard(option, frame.now))}</ol>
${offered.length > 0 && html`<h3>${QUESTIONS.amenities}</h3>${buttons('amenities', offered, frame)}`}
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

/** A home of a result, in the words in which assistants get it. */
function optionCard(option: Option, now: number): SafeHtml {
  const { property_id: property, name, brand, location, url, quote } = option;
  // Escaping does not make every URL harmless.
  const address = /^https?:\/\//i.test(url) ? url : '#';
  return html`<li>
<div class="option-head"><h3>${name}</h3></div>
<p class="small">${brand} · ${location}</p>
<ul class="small lines">${optionInFull(option, undefined, now).map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="small"><a href="${address}" rel="noopener noreferrer" target="_blank">On the operator’s website</a></p>
<p class="small">Quote <a href="/quotes?${String(new URLSearchParams({ nxq: quote.nxq }))}"><code>${quote.nxq}</code></a> · Property <code>${property}</code></p>
</li>`;
}
