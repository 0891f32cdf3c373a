import type { ShownAssistant } from './console-deps.ts';
import { html, type SafeHtml } from './html.ts';

/** Who may call, with what the owner can do about it. */
export function assistantCards(assistants: readonly ShownAssistant[]): SafeHtml {
  if (assistants.length === 0) {
    return html`<p class="empty">No assistant is in the registry, so only those on trusted networks are answered. Let the first one in with <code>staywire assistants approve</code>; <code>staywire assistants list</code> shows which are known.</p>`;
  }
  return html`<ul class="things" id="assistant-cards" data-live="part">${assistants.map((one) => html`<li>${card(one)}</li>`)}</ul>`;
}

function card({ id, name, status, isListed, ways, lastChange }: ShownAssistant): SafeHtml {
  const isApproved = status === 'approved';
  return html`<h2>${name} <span class="state${!isApproved && ' grave'}">${status}</span></h2>
<dl class="facts">
<dt>Id</dt><dd><code>${id}</code></dd>
<dt>Known by</dt><dd>${ways.length === 0 ? 'nothing' : ways.map((way, index) => html`${index > 0 && html`<br>`}${way}`)}</dd>
${lastChange !== null && html`<dt>Last change</dt><dd>${lastChange.change}, ${lastChange.at.slice(0, 16).replace('T', ' ')}${lastChange.note !== null && `: ${lastChange.note}`}</dd>`}
</dl>
<p class="choices">${
    !isListed
      ? 'Let in by STAYWIRE_TRUSTED_NETWORKS: no registry lists it.'
      : isApproved
        ? html`<a class="button quiet" id="suspend-${id}" href="/assistants/${id}/suspend">Suspend</a>`
        : html`<a class="button" id="approve-${id}" href="/assistants/${id}/approve">Approve</a>`
  }</p>`;
}
