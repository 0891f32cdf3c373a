import type {
  ComparisonAnswer,
  ComparisonBody,
  SearchAnswer,
  StayField,
  StayValues,
} from '../../client/client.ts';
import type { CliTools } from '../command.ts';
import { paragraph } from '../table.ts';
import { askForField } from './ask-field.ts';
import { askWhatNext, type SearchAction } from './ask-what-next.ts';
import { comparisonText } from './comparison-text.ts';
import { openQuestion, refusalText } from './open-question.ts';
import { optionText } from './option-text.ts';
import type { SearchSession } from './search-session.ts';
import { faultOfService } from './service-faults.ts';

type WalkTools = Pick<CliTools, 'terminal' | 'clock' | 'showPage'>;

export type Walk = {
  readonly session: SearchSession;
  readonly url: string;
  /** Whether a person is asked for what is missing or refused; otherwise it is a fault. */
  readonly canAsk: boolean;
  readonly tools: WalkTools;
};

/** Goes on from an answer until there is a result. */
export async function walkToResult(
  from: SearchAnswer,
  { session, url, canAsk, tools }: Walk,
): Promise<ComparisonAnswer> {
  const { terminal } = tools;
  let answer = from;
  for (;;) {
    switch (answer.kind) {
      case 'comparison': {
        const [refusal] = answer.refusals;
        if (refusal && !canAsk) throw openQuestion(noQuestion(refusal.field ?? ''), answer.refusals);
        for (const one of answer.refusals) warn(refusalText(one));
        return answer;
      }
      case 'question':
        if (!canAsk) throw openQuestion(answer.question, []);
        answer = await session.send(await askForField(answer, session, tools));
        break;
      case 'refusal': {
        const { question, refusals } = answer;
        if (!canAsk) throw openQuestion(question, refusals);
        for (const one of refusals) warn(refusalText(one));
        // A refused filter leaves the result as it is.
        if (question.field === 'amenities' && session.result) return session.result;
        answer = await session.send(await askForField(answer, session, tools));
        break;
      }
      case 'problem': {
        const fault = faultOfService(answer, url);
        if (!canAsk || answer.retryAfterSeconds === null) throw fault;
        warn(fault.faults.join(' '));
        const next = await terminal.ask({
          message: 'What next?',
          option: '--json',
          choices: [
            {
              value: 'again',
              label: `Ask again; the service suggests to wait ${answer.retryAfterSeconds} s`,
            },
            { value: 'quit', label: 'Quit' },
          ],
        });
        if (next === 'quit') throw fault;
        answer = await session.startOver(session.received, session.amenities);
      }
    }
  }

  function warn(text: string): void {
    terminal.note(paragraph(`${terminal.styled('warning', '!')} ${text}`, '  '));
  }
}

/** Shows a result, and does with it what the person wants until they quit. Resolves with the last one. */
export async function browse(first: ComparisonAnswer, walk: Walk): Promise<ComparisonBody> {
  const { session, tools } = walk;
  const { terminal } = tools;
  let result = first;
  show();
  for (;;) {
    const next = await askWhatNext(result.body, terminal);
    switch (next.kind) {
      case 'quit':
        return result.body;
      case 'show':
        terminal.print(`\n${optionText(next.option, terminal)}`);
        continue;
      case 'open':
        await openInBrowser(next.option.url, tools);
        continue;
    }
    result = await walkToResult(await answerTo(next, result, session), walk);
    show();
  }

  function show(): void {
    const { body } = result;
    terminal.print(`\n${comparisonText(body, session.nameOf(body.query.destination), terminal)}`);
  }
}

async function answerTo(
  action: SearchAction,
  result: ComparisonAnswer,
  session: SearchSession,
): Promise<SearchAnswer> {
  switch (action.kind) {
    case 'narrow':
      return session.narrow(result, [action.amenity]);
    case 'clear':
      return session.clearFilters();
    case 'again':
      return session.startOver(session.received, session.amenities);
    case 'change':
      return changed(action.field, session);
  }
}

/** Resolves with whether the page could be opened; where not, the person has its address. */
export async function openInBrowser(
  address: string,
  { terminal, showPage }: Pick<WalkTools, 'terminal' | 'showPage'>,
): Promise<boolean> {
  const isShown = await showPage(address);
  terminal.note(
    isShown
      ? `Opened ${address}`
      : `${terminal.styled('warning', '!')} The page could not be opened here. Its address, to copy:\n  ${address}`,
  );
  return isShown;
}

/** What is on offer for a field depends on the others, so a new search is asked for all but this one. */
function changed(field: StayField, session: SearchSession): Promise<SearchAnswer> {
  const { received, amenities } = session;
  if (field === 'brand_locked')
    return session.send({ brand_locked: String(received.brand_locked) !== 'true' });
  const dropped: readonly StayField[] = field === 'check_in_day' ? ['check_in_day', 'check_out'] : [field];
  const kept = Object.entries(received).filter(([name]) => !dropped.includes(name as StayField));
  return session.startOver(Object.fromEntries(kept) as StayValues, amenities);
}

function noQuestion(field: string) {
  return { field, choices: [], total: 0, hint: null, refusal: null, missing: [] };
}
