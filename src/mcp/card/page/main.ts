import { type CardContent, readToolResult } from '../content/read-tool-result.ts';
import { travellerFormat } from '../content/traveller-format.ts';
import { applyHostContext } from './apply-host-context.ts';
import { type CardChoices, drawComparison, drawComparisonHeader } from './draw-comparison.ts';
import { element } from './element.ts';
import { connectToHost, type HostContext } from './host-connection.ts';
import { watchSize } from './watch-size.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

const main = document.querySelector('main') as HTMLElement;
const status = document.querySelector('[role=status]') as HTMLElement;
const choices: CardChoices = { form: 'cards', order: null, showsAll: false };
let context: HostContext = {};
let content: CardContent | null = null;
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
    draw();
    void askForDetails(content);
  },
  toolCancelled: () => showMessage('The search was stopped.'),
  closing() {
    clearTimeout(expiry);
    stopWatching();
  },
});

/** An answer for a model has neither pictures nor price lines: a set that came without them is read once more, by the card. */
async function askForDetails(shown: CardContent): Promise<void> {
  if (shown.kind !== 'comparison' || shown.payload !== null || shown.readAgain === null) return;
  const details = readToolResult(await host.callTool(shown.readAgain.tool, shown.readAgain.args));
  // Another set may have come meanwhile.
  if (content !== shown || details.kind !== 'comparison' || details.payload === null) return;
  content = details;
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
  if (content.kind === 'text') {
    showMessage(content.text);
    return;
  }
  main.replaceChildren(...drawComparison(content, choices, toolsFor(content.currency)));
  renewHeaderAt(Date.parse(content.payload?.comparison_set.quotes_valid_until ?? ''));
}

function toolsFor(currency: string) {
  return {
    format: travellerFormat({ locale: textOr(context.locale), timeZone: textOr(context.timeZone), currency }),
    now: Date.now(),
    openLink: host.openLink,
    announce(sentence: string) {
      status.textContent = sentence;
    },
  };
}

/** A conversation outlives its prices. Only the header says so, because what is open or focused below must stay. */
function renewHeaderAt(end: number): void {
  clearTimeout(expiry);
  const left = end - Date.now();
  if (left > 0) expiry = setTimeout(renewHeader, Math.min(left + 1, MAX_TIMER_MS));
}

function renewHeader(): void {
  if (content?.kind !== 'comparison') return;
  main.querySelector('header')?.replaceWith(drawComparisonHeader(content, toolsFor(content.currency)));
}

function showMessage(text: string): void {
  main.replaceChildren(element('p', { class: 'message' }, text));
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
