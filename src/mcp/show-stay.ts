import type { Option } from '../contract/option.ts';
import type { ShownStay } from '../contract/tools/stay-answer.ts';
import { type InterfaceCalls, isResult } from './interface-calls.ts';
import type { ShowArguments, WantedOption } from './tool-arguments.ts';
import { handleAfter, problemOf, toolProblem } from './ways-on.ts';
import { countText } from './words.ts';

/** One option of the set as it is kept: no operator is asked. */
export async function showStay(
  { session, wanted }: ShowArguments,
  calls: Pick<InterfaceCalls, 'result'>,
): Promise<ShownStay> {
  const body = await calls.result(session, 'full');
  if (!isResult(body)) {
    return { outcome: 'problem', session: handleAfter(body, session), problem: problemOf(body) };
  }
  const option = body.results.find((one) => isWanted(one, wanted));
  if (!option) {
    const message = `The set has ${countText(body.results.length, 'option')}, and that is none of them.`;
    return { outcome: 'problem', session, problem: toolProblem('unknown_stay', { message }) };
  }
  const { totals_include_taxes_and_fees } = body.comparison_set;
  return { outcome: 'stay', session, option, totals_include_taxes_and_fees };
}

function isWanted({ property_id, rank }: Option, wanted: WantedOption): boolean {
  return 'rank' in wanted ? rank === wanted.rank : property_id === wanted.property_id;
}
