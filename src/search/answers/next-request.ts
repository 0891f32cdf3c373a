import type { OperationName } from '../../contract/operations.ts';
import { PATHS } from '../../contract/vocabulary.ts';
import type { AnswerForm } from '../answer-writer.ts';
import type { Links } from './links.ts';
import { authRequest } from './problem-answer.ts';

/** These requests read, and reading records nothing: the key need not be that of the current state. */
const ANY_REVISION = 0;

export type NextRequestFacts = {
  readonly token: string | null;
  readonly source: string | null;
  readonly form: AnswerForm;
};

/** A request that the operation takes. Without a session, search and result are reached through auth. */
export function nextRequestAt(
  operation: OperationName,
  { token, source, form }: NextRequestFacts,
  links: Links,
) {
  const read = (url: string) => ({ url, method: 'GET' });
  switch (operation) {
    case 'openSession':
      return authRequest(links, source, form);
    case 'search':
      return token === null
        ? authRequest(links, source, form)
        : read(links.forSession({ token, revision: ANY_REVISION, view: form.view }).read());
    case 'readResult':
      return token === null
        ? authRequest(links, source, form)
        : read(links.forSession({ token, revision: ANY_REVISION, view: form.view }).result());
    case 'readSchema':
      return read(links.at(PATHS.schema));
    case 'readTerms':
      return read(links.at(PATHS.terms));
  }
}
