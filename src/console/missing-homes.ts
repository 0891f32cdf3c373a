import type { ResultBody } from '../contract/result-body.ts';
import { html, type SafeHtml } from './html.ts';

type Selection = ResultBody['comparison_set']['selection'];
type Coverage = ResultBody['comparison_set']['coverage'][number];

/** Only the notes name brands that could not be searched at all. */
const NOT_SEARCHED =
  /Not searched, or not fully, .*? Homes that are not known here may still be free\.|Homes of this search are not on offer here at present: .*?\.(?= [A-Z]|$)/g;

/** Why an assistant gets fewer homes than there are, in a few words; its own long notes can be unfolded. */
export function missingHomes({ comparison_set: { selection, coverage }, notes }: ResultBody): SafeHtml {
  const reasons = [
    ...coverage.flatMap((one) => reasonsOf(one, notes)),
    ...unasked(selection, coverage),
    ...Array.from(notes.matchAll(NOT_SEARCHED), ([sentence]) => sentence),
  ];
  const { shown, priced } = selection;
  return html`${reasons.length > 0 && html`<p class="fault">${reasons.join(' ')}</p>`}
${shown < priced && html`<p class="note">Assistants get the ${shown} cheapest of ${priced} prices.</p>`}
<details><summary>What the assistant is told about these prices</summary><p class="note">${notes}</p></details>`;
}

function reasonsOf({ brand, asked, failed, unavailable, implausible }: Coverage, notes: string): string[] {
  const of = (count: number) => `${count} of ${asked} ${asked === 1 ? 'home' : 'homes'}`;
  const calendar = `although its calendar had ${unavailable === 1 ? 'it' : 'them'} free`;
  return [
    ...(failed > 0 ? [`${brand} gave no usable answer for ${of(failed)}${causeIn(notes, brand)}.`] : []),
    ...(unavailable > 0 ? [`${brand} refused ${of(unavailable)}, ${calendar}.`] : []),
    ...(implausible > 0 ? [`${brand} gave a price that cannot be true for ${of(implausible)}.`] : []),
  ];
}

/** The notes have it in brackets behind the name. */
function causeIn(notes: string, brand: string): string {
  const name = `${brand} (`;
  const start = notes.indexOf(name);
  const end = notes.indexOf(')', start + name.length);
  return start < 0 || end < 0 ? '' : ` (${notes.slice(start + name.length, end)})`;
}

/** Homes that an operator refused are no matches any more. */
function unasked({ matches }: Selection, coverage: readonly Coverage[]): string[] {
  const answered = coverage.reduce((sum, { asked, unavailable }) => sum + asked - unavailable, 0);
  return matches > answered ? [`No price was asked for ${matches - answered} of ${matches} homes.`] : [];
}
