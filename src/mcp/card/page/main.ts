import { type CardContent, type ComparisonPayload, readToolResult } from '../content/card-content.ts';
import { type CardAsk, countedNoun, questionInWords, refusalsInWords } from '../content/card-words.ts';
import { travellerFormat } from '../content/traveller-format.ts';
import { drawComparison, drawHeader } from './draw-comparison.ts';
import { element, type PageTools } from './element.ts';
import { connectToHost, type HostContext } from './host-connection.ts';

/** The host's colours, used only together: some of them mixed with ours could make text unreadable. */
const COLOURS = [
  '--color-background-primary',
  '--color-background-secondary',
  '--color-background-inverse',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-text-inverse',
  '--color-border-primary',
] as const;
const OTHERS = ['--font-sans', '--border-radius-sm', '--border-radius-md', '--border-radius-lg'] as const;
const EDGES = ['top', 'right', 'bottom', 'left'] as const;

/** Ignores fonts that would have to be fetched: the card loads only pictures from the network. */
function applyHostContext({ theme, styles, safeAreaInsets }: HostContext): void {
  const { style, dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  const variables = styles?.variables;
  if (variables !== undefined) {
    const hasAll = COLOURS.every((name) => isPlainValue(variables[name]));
    for (const name of COLOURS) style.setProperty(name, hasAll ? String(variables[name]) : '');
    for (const name of OTHERS) style.setProperty(name, isPlainValue(variables[name]) ? variables[name] : '');
  }
  for (const edge of EDGES) {
    const inset = safeAreaInsets?.[edge];
    if (typeof inset === 'number') style.setProperty(`--safe-${edge}`, `${inset}px`);
  }
}

function isPlainValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/url\s*\(/i.test(value);
}

/** Reports the size of the content to the host, once for each frame in which it changed. Returns a function that stops it. */
function watchSize(report: (size: { width: number; height: number }) => void): () => void {
  let last = '';
  let isWaiting = false;
  const measure = () => {
    isWaiting = false;
    const size = {
      width: Math.ceil(window.innerWidth),
      height: Math.ceil(document.documentElement.getBoundingClientRect().height),
    };
    if (JSON.stringify(size) === last) return;
    last = JSON.stringify(size);
    report(size);
  };
  const observer = new ResizeObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(measure);
  });
  observer.observe(document.documentElement);
  return () => observer.disconnect();
}

const MAX_TIMER_MS = 2 ** 31 - 1;

const main = document.querySelector('main') as HTMLElement;
const status = document.querySelector('[role=status]') as HTMLElement;
let context: HostContext = {};
let content: CardContent | null = null;
/** Whether more options were requested, answered or not: they are requested once. */
let hasAskedForMore = false;
let stopWatching = () => {};
let expiry: ReturnType<typeof setTimeout> | undefined;

const host = connectToHost({
  connected(given) {
    changeContext(given);
    stopWatching = watchSize(host.reportSize);
  },
  contextChanged: changeContext,
  toolCalled: () => content ?? showMessage('Asking the operators for their prices…'),
  toolAnswered(result) {
    content = readToolResult(result);
    hasAskedForMore = false;
    draw();
    void askForDetails(content);
  },
  toolCancelled: () => showMessage('The search was stopped.'),
  closing() {
    clearTimeout(expiry);
    stopWatching();
  },
});

type ShownComparison = Extract<CardContent, { kind: 'comparison' }>;

/** Answers for a model have no pictures and no price lines, so the card reads such a set once more. */
async function askForDetails(shown: CardContent): Promise<void> {
  if (shown.kind !== 'comparison' || shown.payload !== null || shown.calls === null) return;
  await showAnswerTo(shown.calls.details, shown);
}

async function showMore(shown: ShownComparison): Promise<void> {
  if (shown.calls === null) return;
  hasAskedForMore = true;
  await showAnswerTo(shown.calls.more, shown);
  if (content?.kind === 'comparison' && content.payload !== null)
    announce(`${countedNoun(content.payload.results.length, 'stay')} shown.`);
}

async function showAnswerTo(args: Readonly<Record<string, unknown>>, shown: CardContent): Promise<void> {
  const answer = readToolResult(await host.callTool('refine_stays', args));
  // Another set may have arrived meanwhile.
  if (content !== shown) return;
  if (answer.kind === 'comparison' && answer.payload !== null) content = answer;
  draw();
}

function changeContext(change: HostContext): void {
  const isSpokenOtherwise = 'locale' in change || 'timeZone' in change;
  context = { ...context, ...change };
  applyHostContext(change);
  if (isSpokenOtherwise) draw();
}

function draw(): void {
  if (content === null) return;
  clearTimeout(expiry);
  switch (content.kind) {
    case 'comparison':
      if (content.payload === null) {
        showMessage('The comparison is in the answer of your assistant.');
        break;
      }
      main.replaceChildren(
        ...drawComparison(content.payload, content.view, toolsFor(content, content.payload)),
      );
      renewHeaderAt(Date.parse(content.payload.comparison_set.quotes_valid_until));
      break;
    case 'question':
      main.replaceChildren(...drawQuestion(content, { format: formatFor('') }));
      break;
    case 'problem':
      showMessage('The search did not work this time.');
      break;
    case 'nothing':
      main.replaceChildren();
  }
}

function toolsFor(shown: ShownComparison, { comparison_set }: ComparisonPayload): PageTools {
  const canShowMore = shown.calls !== null && host.passesCalls() && !hasAskedForMore;
  return {
    format: formatFor(comparison_set.currency),
    now: Date.now(),
    openLink: host.openLink,
    showMore: canShowMore ? () => void showMore(shown) : null,
    announce,
  };
}

function formatFor(currency: string) {
  return travellerFormat({ locale: textOr(context.locale), timeZone: textOr(context.timeZone), currency });
}

function announce(sentence: string): void {
  status.textContent = sentence;
}

/** Prices expire during a conversation. Redraws only the header, to keep open and focused elements below. */
function renewHeaderAt(end: number): void {
  const left = end - Date.now();
  if (left > 0) expiry = setTimeout(renewHeader, Math.min(left + 1, MAX_TIMER_MS));
}

function renewHeader(): void {
  if (content?.kind !== 'comparison' || content.payload === null) return;
  const { payload, view } = content;
  main.querySelector('header')?.replaceWith(drawHeader(payload, view, toolsFor(content, payload)));
}

function showMessage(text: string): void {
  main.replaceChildren(element('p', { class: 'message' }, text));
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Refusals and the question, in words with choices. Empty where only the model has to act. */
function drawQuestion(
  { isRefused, refusals, question }: Extract<CardContent, { kind: 'question' }>,
  { format }: Pick<PageTools, 'format'>,
): readonly HTMLElement[] {
  const refused = refusalsInWords(refusals, question, format);
  // Without refusals for the traveller, only the model's call was wrong, so the question is not repeated.
  const isAsked = question !== undefined && (refused.length > 0 || !isRefused);
  const asked = isAsked ? questionInWords(question, format) : null;
  // The suggestions of a refusal replace the question.
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
    // Screen readers recognise a list without bullets only by its role.
    ...(choices.length === 0 ? [] : [element('ul', { class: 'chips', role: 'list' }, ...chips)]),
  ];
}
