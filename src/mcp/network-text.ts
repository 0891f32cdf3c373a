import type { NetworkAnswer } from '../contract/tools/stay-answer.ts';
import { problemText } from './stay-answer-text.ts';
import { andMore, linesOf, sessionLine } from './words.ts';

export function networkText(answer: NetworkAnswer): string {
  const { session, name, about, brands = [], brands_in_all = 0, places = [], places_in_all = 0 } = answer;
  const { outcome, problem } = answer;
  if (outcome === 'problem') return problem ? problemText(problem) : '';
  return linesOf([
    `${name}. ${about}`,
    `Brands (${brands_in_all}): ${brands.map(brandText).join('; ')}${andMore(brands.length, brands_in_all)}.`,
    problem && `${problem.message} ${problem.how_to_go_on}`,
    places.length === 0
      ? !problem && 'Every home of this search is in one place: no destination is needed.'
      : `Places (${places_in_all}): ${places.map((place) => `${place.name} [${place.destination}]`).join('; ')}${andMore(places.length, places_in_all)}.`,
    sessionLine(session),
  ]);
}

function brandText({ name, source, single_location }: NonNullable<NetworkAnswer['brands']>[number]): string {
  return `${name} [source ${source}${single_location ? ', one place' : ''}]`;
}
