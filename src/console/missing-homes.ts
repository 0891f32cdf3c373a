import type { ResultBody } from '../contract/result-body.ts';
import { html, type SafeHtml } from './html.ts';

type Selection = ResultBody['comparison_set']['selection'];
type Coverage = ResultBody['comparison_set']['coverage'][number];

/**
 * Why an assistant gets fewer homes than there are, in a few words. Its own notes are long, and folded unless they name operators to be asked
 * again.
 */
export function missingHomes({
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

/** Homes that an operator refused are no matches any more. */
function unasked({ matches }: Selection, coverage: readonly Coverage[]): string[] {
  const answered = coverage.reduce((sum, { asked, unavailable }) => sum + asked - unavailable, 0);
  return matches > answered ? [`No price was asked for ${matches - answered} of ${matches} homes.`] : [];
}
