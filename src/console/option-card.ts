import { formatCell } from '../activity/reports/format-cell.ts';
import type { Option } from '../contract/option.ts';
import { html, type SafeHtml } from './html.ts';

/** A home of a result, for a person. */
export function optionCard({ name, brand, location, capacity, quote, url, cancellation }: Option): SafeHtml {
  const money = (amount: number) => `${formatCell(amount, 'amount')} ${quote.currency}`;
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
</li>`;
}

function guaranteeText({ price_guarantee: kind, price_valid_until: until }: Option['quote']): string {
  return kind === 'held'
    ? `The operator holds this price until ${until.slice(0, 16).replace('T', ' ')} UTC.`
    : 'True when it was asked for; the operator’s website confirms it.';
}

/** Escaping does not make every address harmless. */
function webAddress(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}
