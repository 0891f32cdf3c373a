import type { ResultBody } from '../contract/result-body.ts';
import { html, type SafeHtml } from './html.ts';

type ComparisonSet = ResultBody['comparison_set'];

/** Why fewer homes are shown than matched. What the assistant is told is folded only where nothing is missing. */
export function missingHomes({ comparison_set: set, notes }: ResultBody): SafeHtml {
  const { shown, priced, complete } = set.selection;
  const reasons = set.coverage.flatMap(reasonsOf);
  const isCut = shown < priced;
  return html`${reasons.length > 0 && html`<p class="fault">${reasons.join(' ')}</p>`}
${isCut && html`<p class="note">Assistants get the ${shown} cheapest of ${priced} prices.</p>`}
${
  complete && reasons.length === 0
    ? html`<details><summary>What the assistant is told about these prices</summary><p class="note">${notes}</p></details>`
    : html`<h3>What the assistant is told about these prices</h3><p class="note">${notes}</p>`
}`;
}

function reasonsOf({
  brand,
  asked,
  failed,
  unavailable,
  implausible,
}: ComparisonSet['coverage'][number]): string[] {
  const of = (count: number) => `${count} of ${asked} ${asked === 1 ? 'home' : 'homes'}`;
  return [
    ...(failed > 0 ? [`${brand} gave no usable answer for ${of(failed)}.`] : []),
    ...(unavailable > 0
      ? [
          `${brand} refused ${of(unavailable)}, although its calendar had ${unavailable === 1 ? 'it' : 'them'} free.`,
        ]
      : []),
    ...(implausible > 0 ? [`${brand} gave a price that cannot be true for ${of(implausible)}.`] : []),
  ];
}
