import type { CataloguePage } from '../../src/connectors/open/protocol.ts';
import type { Answer, DemoRequest } from '../http.ts';
import type { Operator } from '../operator.ts';
import { badRequest, jsonWithTag } from './json-answer.ts';

const PAGE_SIZE = 25;

export function answerCatalogue(operator: Operator, request: DemoRequest): Answer {
  const page = Number(request.query.get('page') ?? '1');
  const pages = Math.ceil(operator.properties.length / PAGE_SIZE);
  if (!Number.isInteger(page) || page < 1 || page > pages) return badRequest('There is no such page.');
  const shown = operator.properties.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const answer: CataloguePage = {
    properties: shown.map((property) => operator.entry(property).listing),
    next_page: page < pages ? String(page + 1) : null,
  };
  return jsonWithTag(request, answer);
}
