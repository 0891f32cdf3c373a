import type { Option } from '../contract/option.ts';
import { html, type SafeHtml } from './html.ts';
import { moneyText } from './money-text.ts';

/** A home of a result, for a person. */
export function optionCard(option: Option): SafeHtml {
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

/** Escaping does not make every address harmless. */
function webAddress(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}
