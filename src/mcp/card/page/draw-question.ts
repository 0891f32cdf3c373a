import { type CardAsk, questionInWords, refusalsInWords } from '../content/question-words.ts';
import type { CardContent } from '../content/read-tool-result.ts';
import { element } from './element.ts';
import type { PageTools } from './page-tools.ts';

/** What was refused and what is asked for, in words with choices. Nothing where only the model has to do something. */
export function drawQuestion(
  { isRefused, refusals, question }: Extract<CardContent, { kind: 'question' }>,
  { format }: Pick<PageTools, 'format'>,
): readonly HTMLElement[] {
  const refused = refusalsInWords(refusals, question, format);
  // The traveller has answered what the model has sent wrongly.
  const isAsked = question !== undefined && (refused.length > 0 || !isRefused);
  const asked = isAsked ? questionInWords(question, format) : null;
  // What can be had instead is the question.
  const isAnswered = refused.some(({ choices }) => choices.length > 0);
  const isSaid = refusals.some(({ field }) => field === question?.field);
  const choice = asked && isSaid ? { ...asked, words: 'You can choose:' } : asked;
  const asks = [...refused, ...(choice === null || isAnswered ? [] : [choice])];
  if (asks.length === 0) return [];
  return [
    element('h1', {}, refused.length > 0 ? 'Not possible like that' : 'One more answer is needed'),
    ...asks.flatMap(drawAsk),
    element('p', { class: 'quiet' }, 'Tell your assistant what you would like.'),
  ];
}

function drawAsk({ words, choices, more }: CardAsk): readonly HTMLElement[] {
  const chips = choices.map((choice) => element('li', {}, choice));
  if (more > 0) chips.push(element('li', { class: 'quiet' }, `and ${more} more`));
  return [
    element('p', { class: 'ask', dir: 'auto' }, words),
    // Without a bullet, a list is one to screen readers only when it says so.
    ...(choices.length === 0 ? [] : [element('ul', { class: 'chips', role: 'list' }, ...chips)]),
  ];
}
