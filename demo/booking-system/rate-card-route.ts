import type { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import type { Route } from '../http.ts';
import type { Operator } from '../operator.ts';
import { jsonWithTag } from './json-answer.ts';

/** An operator without a booking system publishes its price list, with the nights that are taken, on its website. */
export function rateCardRoute(operator: Operator): Route {
  return {
    method: 'GET',
    path: `/sites/${operator.brand.source}/rate-card.json`,
    async answer(request) {
      const card: RateCard = { properties: operator.properties.map((property) => operator.entry(property)) };
      return jsonWithTag(request, card);
    },
  };
}
