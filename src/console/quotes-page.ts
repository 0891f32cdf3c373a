import { formatCell, moneyText } from '../analytics/reports/format-cell.ts';
import type { BookingOutcome } from '../quotes/booking.ts';
import type { IssuedQuote, QuoteDetails, QuoteQuestion } from '../sessions/quote-ledger.ts';
import { CONSOLE_ASSISTANT } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { toDecimal } from '../stay/money.ts';
import type { ConsoleDeps, ConsoleRoute, Pages } from './console-routes.ts';
import { type ConsolePage, html, type SafeHtml } from './layout.ts';

/** A page must not take every connection of the store. */
const MAX_LOOKUPS_AT_A_TIME = 8;

/** Quotes of the ledger with their bookings. */
export function quotesRoutes(
  { brands, ledger, outcomes, placeName, homeName, assistantName }: ConsoleDeps,
  { show }: Pages,
): readonly ConsoleRoute[] {
  const withOutcomes = async (quote: IssuedQuote): Promise<FoundQuote> => ({
    quote,
    names: {
      home: homeName(quote.property),
      brand: brands.find(({ id }) => id === quote.brand)?.name,
      place: placeName(quote.place),
      assistant: quote.assistant === CONSOLE_ASSISTANT ? 'your own trial' : assistantName(quote.assistant),
    },
    outcomes: await outcomes.ofQuote(quote, MAX_BOOKINGS_SHOWN + 1),
  });
  return [
    {
      method: 'GET',
      path: '/quotes',
      async serve(request) {
        const asked = readQuotesQuery(request.query);
        const quotes = asked.question ? await ledger.findQuotes(asked.question, MAX_FOUND) : [];
        const found: FoundQuote[] = [];
        for (let at = 0; at < quotes.length; at += MAX_LOOKUPS_AT_A_TIME) {
          const some = quotes.slice(at, at + MAX_LOOKUPS_AT_A_TIME);
          found.push(...(await Promise.all(some.map(withOutcomes))));
        }
        return show(quotesPage(asked, found), request);
      },
    },
  ];
}

type AskedQuotes = {
  /** Null without a valid question. */
  readonly question: QuoteQuestion | null;
  readonly form: Readonly<Record<'nxq' | 'property' | 'checkIn' | 'checkOut', string>>;
  readonly fault: string | null;
};

type FoundQuote = {
  readonly quote: IssuedQuote;
  /** Undefined for names that are no longer known. */
  readonly names: Readonly<Record<'home' | 'brand' | 'place' | 'assistant', string | undefined>>;
  /** The latest first, with one more than is shown, if there are more. */
  readonly outcomes: readonly BookingOutcome[];
};

/** More than any dispute concerns. */
const MAX_FOUND = 50;
/** For one quote, which has one booking, unless it was cancelled and booked again. */
const MAX_BOOKINGS_SHOWN = 20;
const MAX_TEXT = 200;
const NO_LINES =
  'The operator gave no lines that add up to the total, or they were too long to be shown to the assistant.';

function readQuotesQuery(query: Readonly<Record<string, unknown>>): AskedQuotes {
  const [nxq, property] = [textOf(query.nxq), textOf(query.property)];
  const [checkIn, checkOut] = [textOf(query.check_in), textOf(query.check_out)];
  const form = { nxq, property, checkIn, checkOut };
  if (nxq !== '') return { question: { nxq }, form, fault: null };
  if (property === '' && checkIn === '' && checkOut === '') return { question: null, form, fault: null };
  const fault = faultOf(form);
  return { question: fault === null ? { property, checkIn, checkOut } : null, form, fault };
}

/** The ledger finds quotes by stay and property together. */
function faultOf({ property, checkIn, checkOut }: AskedQuotes['form']): string | null {
  if ([checkIn, checkOut].some((date) => date !== '' && parseDay(date) === undefined)) {
    return 'A day has to be one of the calendar, such as 2027-05-08.';
  }
  if (checkIn !== '' && checkOut !== '' && checkIn >= checkOut) {
    return 'The departure has to be after the arrival.';
  }
  if (property === '') return 'Give the property too: days alone find nothing.';
  return checkIn === '' || checkOut === ''
    ? 'Give arrival and departure too: a property is found together with its stay.'
    : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT) : '';
}

function quotesPage({ question, form, fault }: AskedQuotes, found: readonly FoundQuote[]): ConsolePage {
  const { property, checkIn, checkOut } = form;
  return {
    title: 'Quotes',
    about: 'What was quoted, when, to whom and with which lines: the record for a dispute.',
    path: '/quotes',
    body: html`<form method="get" action="/quotes" class="card" role="search">
<div class="fields">
<label>Identifier of the quote <input name="nxq" value="${form.nxq}" maxlength="${MAX_TEXT}" autocomplete="off" spellcheck="false"></label>
<button>Find</button>
</div>
<p class="or">or</p>
<div class="fields">
<label>Property <input name="property" value="${property}" maxlength="${MAX_TEXT}" autocomplete="off" spellcheck="false"></label>
<label>Arrival <input type="date" name="check_in" value="${parseDay(checkIn) !== undefined && checkIn}"></label>
<label>Departure <input type="date" name="check_out" value="${parseDay(checkOut) !== undefined && checkOut}"></label>
<button>Find</button>
</div>
</form>
${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}
${question === null && fault === null && html`<p class="empty">Every home that an assistant is shown has a quote. Enter the identifier of a quote (<code>nxq_…</code>), or a property (<code>brand:reference</code>) and the days of the stay; the newest quotes come first.</p>`}
${question !== null && found.length === 0 && html`<p class="empty" role="status">No quote was found. ${HINT}</p>`}
${found.length >= MAX_FOUND && html`<p class="fault">Only the newest ${MAX_FOUND} are shown.</p>`}
${found.map(record)}`,
  };
}

const HINT = html`Check that the identifier is complete: it begins with <code>nxq_</code>; a property is written as <code>brand:reference</code>. Quotes are kept for 400 days, unless <code>STAYWIRE_LEDGER_DAYS</code> or <code>STAYWIRE_MAX_LEDGER_MB</code> says otherwise.`;

function record({ quote, names, outcomes }: FoundQuote): SafeHtml {
  const { nxq, amount, currency, checkIn, checkOut, guests, details } = quote;
  const money = (minor: number) => minorText(minor, currency);
  return html`<article class="card quote">
<h2>${names.home ?? quote.property}</h2>
<p class="total">${money(amount)}</p>
<dl class="facts">
<dt>Quote</dt><dd><code>${nxq}</code></dd>
<dt>Property</dt><dd><code>${quote.property}</code></dd>
<dt>Stay</dt><dd>${checkIn} to ${checkOut}, ${guests} ${guests === 1 ? 'guest' : 'guests'}</dd>
<dt>Brand</dt><dd>${named(names.brand, quote.brand)}</dd>
${quote.place !== '' && html`<dt>Place</dt><dd>${named(names.place, quote.place)}</dd>`}
<dt>Assistant</dt><dd>${named(names.assistant, quote.assistant)}</dd>
<dt>Retrieved</dt><dd>${instantText(quote.retrievedAt)}</dd>
<dt>${details ? INSTANTS[details.guarantee] : 'Valid until'}</dt><dd>${instantText(quote.validUntil)}</dd>
${details && terms(details, money)}
</dl>
${
  details?.lines
    ? html`<h3 class="sub">Lines</h3>
<table><caption class="unseen">Lines of the quote</caption><thead><tr><th scope="col">Line</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${details.lines.map(({ label, amount: of }) => html`<tr><th scope="row">${label}</th><td class="number">${money(of)}</td></tr>`)}</tbody></table>`
    : html`<p class="note sub">${details ? NO_LINES : 'The lines of this quote were not kept.'}</p>`
}
<h3 class="sub">Booking</h3>
${
  outcomes.length === 0
    ? html`<p class="note">No booking was reported for this quote. Operators report bookings through the open protocol, or send you a file: <code>staywire outcomes import FILE --brand ${quote.brand}</code> takes it in.</p>`
    : html`<ul>${outcomes.slice(0, MAX_BOOKINGS_SHOWN).map((one) => html`<li>${outcomeText(one, quote)}</li>`)}</ul>
${outcomes.length > MAX_BOOKINGS_SHOWN && html`<p class="note">Only the latest ${MAX_BOOKINGS_SHOWN} bookings are shown; the operator has reported more for this quote.</p>`}`
}
</article>`;
}

function named(name: string | undefined, id: string): string {
  return name === undefined ? id : `${name} (${id})`;
}

function terms(details: QuoteDetails, money: (minor: number) => string): SafeHtml {
  const { guarantee, deposit, dueOnSite, cancellation } = details;
  return html`<dt>Guarantee</dt><dd>${GUARANTEES[guarantee]}</dd>
${deposit && html`<dt>Deposit</dt><dd>${money(deposit.amount)}, ${deposit.refundable ? 'refundable' : 'not refundable'}</dd>`}
${typeof dueOnSite === 'number' && html`<dt>Paid on site</dt><dd>${money(dueOnSite)}</dd>`}
${cancellation && html`<dt>Cancellation</dt><dd>${cancellation}</dd>`}`;
}

const GUARANTEES: Readonly<Record<QuoteDetails['guarantee'], string>> = {
  held: 'the operator held the price until then',
  at_retrieval: 'none: the price was true when it was retrieved',
};

/** Without a promise of the operator, only the session ends then. */
const INSTANTS: Readonly<Record<QuoteDetails['guarantee'], string>> = {
  held: 'Price held until',
  at_retrieval: 'End of the traveller’s session',
};

function outcomeText(outcome: BookingOutcome, quote: IssuedQuote): string {
  const { status, reference, bookedAt, amount, currency } = outcome;
  const same = currency === quote.currency && amount === quote.amount;
  const paid = minorText(amount, currency);
  return `${status === 'booked' ? 'Booked' : 'Booked and cancelled'} on ${formatCell(bookedAt, 'instant')} as ${reference}, for ${paid}${same ? ', as quoted' : ` instead of the ${minorText(quote.amount, quote.currency)} that were quoted`}`;
}

function minorText(minor: number, currency: string): string {
  return moneyText(toDecimal(minor, currency), currency);
}

function instantText(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
