import { formatCell } from '../analytics/reports/format-cell.ts';
import { OPERATOR_STATES, type OperatorState, operatorState } from '../analytics/reports/operators-report.ts';
import { systemName, wordsFor } from '../analytics/reports/words.ts';
import type { OperatorHealth } from '../sync/operator-controls.ts';
import type { ShownAssistant } from './console-routes.ts';
import { html, type SafeHtml } from './layout.ts';

/** The state of each operator, with the owner's actions. Links carry the chosen days. */
export function operatorCards(operators: readonly OperatorHealth[], days: string): SafeHtml {
  if (operators.length === 0) {
    return html`<p class="empty">The network has no brands yet. Add one with <code>staywire connect</code>.</p>`;
  }
  return html`<ul class="things" id="operator-cards" data-live="part">${operators.map((one) => html`<li>${operatorCard(one, days)}</li>`)}</ul>`;
}

/** What the table of the page does not show, and the owner's actions. */
function operatorCard(operator: OperatorHealth, days: string): SafeHtml {
  const { brand, name, system, lastFailure, lastFailureMessage } = operator;
  const address = `/operators/${brand}`;
  const query = `?brand=${brand}${days.replace('?', '&')}`;
  return html`<h2><a id="operator-${brand}" href="/operators${query}">${name}</a> ${stateBadge(operator)}</h2>
<dl class="facts">
<dt>Booking system</dt><dd>${systemName(system)}</dd>
<dt>Last read</dt><dd>${operator.lastReadAt === null ? 'not completely yet' : formatCell(operator.lastReadAt, 'instant')}</dd>
${lastFailure !== null && html`<dt>Last failure</dt><dd>${wordsFor(lastFailure)}${lastFailureMessage && `: ${lastFailureMessage}`}</dd>`}
${lostNights(operator)}
</dl>
<p class="choices">
${
  operator.pausedAt === null
    ? html`<a class="button quiet" id="read-${brand}" href="${address}/read">Read again now</a>
<a class="button quiet" id="pause-${brand}" href="${address}/pause">Pause</a>`
    : html`<a class="button" id="resume-${brand}" href="${address}/resume">Resume</a>`
}
<a class="button quiet" id="demand-${brand}" href="/demand${query}">Its demand</a>
</p>`;
}

/** The nights stay blocked for six hours, so the owner should know before then. */
function lostNights({ rejections }: OperatorHealth): SafeHtml | null {
  const lost = rejections.filter(({ rule }) => rule === 'feed_lost_nights');
  const homes = new Set(lost.map(({ reference }) => reference)).size;
  if (homes === 0) return null;
  return html`<dt>Feeds that lost their nights</dt><dd>of ${homes} ${homes === 1 ? 'home' : 'homes'}: the nights stay taken for now. They are free when a reading six hours later still lacks them.</dd>`;
}

const TONES: Readonly<Record<OperatorState, string>> = {
  not_on_network: ' warn',
  paused: ' warn',
  not_read_yet: ' warn',
  cannot_be_read: ' grave',
  prices_fail: ' grave',
  last_reading_failed: ' grave',
  prices_on_trial: ' warn',
  on_offer: '',
};

function stateBadge(operator: OperatorHealth): SafeHtml {
  const state = operatorState(operator);
  const since = operator.pausedAt !== null && ` since ${formatCell(operator.pausedAt, 'instant')}`;
  return html`<span class="state${TONES[state]}">${OPERATOR_STATES[state]}${since}</span>`;
}

/** The assistants that may call, with the owner's actions. */
export function assistantCards(assistants: readonly ShownAssistant[]): SafeHtml {
  if (assistants.length === 0) {
    return html`<p class="empty">No assistant is in the registry, so only those on trusted networks are answered. Let the first one in with <code>staywire assistants approve</code>; <code>staywire assistants list</code> shows which are known.</p>`;
  }
  return html`<ul class="things" id="assistant-cards" data-live="part">${assistants.map((one) => html`<li>${assistantCard(one)}</li>`)}</ul>`;
}

function assistantCard({ id, name, status, isListed, ways, lastChange }: ShownAssistant): SafeHtml {
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
