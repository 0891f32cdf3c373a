import { spawn } from 'node:child_process';
import type { Key } from 'node:readline';
import { stripVTControlCharacters, styleText } from 'node:util';
import { autocomplete, isCancel, multiselect, password, select, text as textPrompt } from '@clack/prompts';
import { type Clock, systemClock } from '../clock.ts';
import { printable } from '../parsing/printable.ts';
import { Interrupted, UsageFault } from './faults.ts';
import {
  cutToWidth,
  type Progress,
  type Question,
  type SelectionQuestion,
  type StatusLine,
  type Terminal,
  type TextStyle,
} from './terminal.ts';
import { askForDayByKeys } from './try/day-prompt.ts';

const FORMATS = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  faint: 'dim',
  strong: 'bold',
} as const satisfies Record<TextStyle, Parameters<typeof styleText>[0]>;
/** Terminals of build servers report zero columns. */
const MIN_COLUMNS_TO_DRAW = 60;
/** On a terminal that cannot draw: one line for every tenth part. */
const PLAIN_PARTS = 10;
const MAX_FILTERED_ROWS = 12;
/** For a terminal that does not report its width. */
const USUAL_COLUMNS = 80;

/** The process's own terminal. Colour on a terminal only, and never with NO_COLOR. */
export function createSystemTerminal({
  input,
  output,
  errors,
  isQuiet,
}: {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  /** With --json nothing but the result is wanted. */
  readonly isQuiet: boolean;
}): Terminal {
  const canAsk = Boolean(input.isTTY && errors.isTTY) && !isQuiet;
  const line = createProgressLine(errors, (text) => styleText('dim', text, { stream: errors }));
  // `styled` decides by the output stream, so colours are removed when the error stream is a file.
  const hasStyles = styled('strong', 'x') !== 'x';
  const forErrors = (text: string) =>
    errors.isTTY
      ? printable(text, { hasStyles })
      : printable(stripVTControlCharacters(text), { hasStyles: false });

  function styled(style: TextStyle, text: string): string {
    return styleText(FORMATS[style], text, { stream: output });
  }

  return {
    canAsk,
    isSeen: output.isTTY,
    columns: output.columns || USUAL_COLUMNS,
    print: (text) => void output.write(`${printable(text, { hasStyles })}\n`),
    note: (text) => {
      if (!isQuiet) line.writeAbove(forErrors(text));
    },
    async ask(question) {
      if (!canAsk) throw cannotAsk(question);
      const { atEscape } = question;
      let lastKey: string | undefined;
      const pressed = (_text: string | undefined, key: Key) => {
        lastKey = key.name;
      };
      // The prompts report Escape, Ctrl-C and the end of the input alike: remember the last key to tell them apart.
      if (atEscape !== undefined) input.prependListener('keypress', pressed);
      const answer = await promptFor(question, { input, output: errors }).finally(() =>
        input.off('keypress', pressed),
      );
      if (typeof answer === 'string') return answer.trim();
      if (atEscape !== undefined && lastKey === 'escape') return atEscape;
      throw new Interrupted();
    },
    async askForSome(question) {
      if (!canAsk) throw cannotAsk(question);
      const { message, choices, initial } = question;
      const answer = await multiselect<string>({
        input,
        output: errors,
        message: plain(message),
        options: choices.map(asOption),
        initialValues: [...initial],
        required: false,
      });
      if (isCancel(answer)) throw new Interrupted();
      return answer;
    },
    async askForDay(question) {
      if (!canAsk) throw cannotAsk(question);
      const onErrors = (style: TextStyle, text: string) =>
        styleText(FORMATS[style], text, { stream: errors });
      const shown = { ...question, message: plain(question.message) };
      const answer = await askForDayByKeys(shown, { input, output: errors }, { styled: onErrors });
      if (answer === undefined) throw new Interrupted();
      return answer;
    },
    wait() {
      if (isQuiet) return { show: () => undefined, end: () => undefined };
      const canDraw = errors.isTTY && errors.columns >= MIN_COLUMNS_TO_DRAW;
      // A terminal that cannot draw shows only the final text.
      const { show, end } = canDraw
        ? line.startWaiting()
        : { show: () => undefined, end: (text: string) => void errors.write(`${text}\n`) };
      return { show: (text) => show(plain(text)), end: (text) => end(forErrors(text)) };
    },
    progress(title) {
      if (isQuiet) return { update: () => undefined, end: () => undefined };
      const canDraw = errors.isTTY && errors.columns >= MIN_COLUMNS_TO_DRAW;
      const shown = forErrors(title);
      const { update, end } = canDraw ? line.start(shown) : plainProgress(shown, errors);
      return { update, end: (text) => end(forErrors(text)) };
    },
    styled,
  };
}

function cannotAsk({ message, option }: Pick<Question, 'message' | 'option'>): UsageFault {
  return new UsageFault([`${message} is not given`], `give it with ${option}`);
}

function asOption({ value, label, hint }: SelectionQuestion['choices'][number]) {
  return { value, label: plain(label), ...(hint ? { hint: plain(hint) } : {}) };
}

function promptFor(
  {
    message: asked,
    isSecret = false,
    choices,
    canFilter = false,
    initial,
    faultOf = () => undefined,
  }: Question,
  streams: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream },
): Promise<string | symbol> {
  const message = plain(asked);
  const validate = (answer: string | undefined) => {
    const given = answer?.trim() || initial || '';
    const fault = given === '' ? 'Please give a value.' : faultOf(given);
    return fault === undefined ? undefined : plain(fault);
  };
  if (choices && canFilter) {
    return autocomplete<string>({
      ...streams,
      message,
      options: choices.map(asOption),
      maxItems: MAX_FILTERED_ROWS,
      filter: (typed, { label = '' }) => searched(label).includes(searched(typed)),
      validate: (answer) => (answer === undefined ? 'Please choose one of these.' : undefined),
      ...(initial ? { initialValue: initial } : {}),
    });
  }
  if (choices) {
    return select<string>({
      ...streams,
      message,
      options: choices.map(asOption),
      ...(initial ? { initialValue: initial } : {}),
    });
  }
  if (isSecret) return password({ ...streams, message, validate });
  const shown = initial ? { placeholder: plain(initial), defaultValue: initial } : {};
  return textPrompt({ ...streams, message, validate, ...shown });
}

/** For the filter of choices: `sao` finds São Paulo. */
function searched(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

function plain(text: string): string {
  return printable(text, { hasStyles: false });
}

function plainProgress(title: string, output: NodeJS.WriteStream): Progress {
  let written = 0;
  return {
    update(done, total) {
      const part = total > 0 ? Math.floor((PLAIN_PARTS * Math.min(done, total)) / total) : 0;
      if (part <= written) return;
      written = part;
      output.write(`${title} ${part * PLAIN_PARTS} %\n`);
    },
    end: (text) => void output.write(`${text}\n`),
  };
}

const BAR_COLUMNS = 24;
const TO_START_AND_CLEAR = '\r\u001b[K';

/** The last line of a terminal, redrawn in place. It does not read the input, so that Ctrl-C still interrupts. */
function createProgressLine(output: NodeJS.WriteStream, dimmed: (text: string) => string) {
  let line = '';

  function draw(next: string): void {
    if (next === line) return;
    line = next;
    output.write(`${TO_START_AND_CLEAR}${next}`);
  }

  function end(text: string): void {
    draw('');
    output.write(`${text}\n`);
  }

  return {
    startWaiting: (): StatusLine => ({ show: (text) => draw(cutToWidth(text, output.columns - 1)), end }),
    start: (title: string): Progress => ({
      update(done, total) {
        const part = total > 0 ? Math.min(1, done / total) : 0;
        const full = Math.floor(part * BAR_COLUMNS);
        const count = `${String(Math.floor(part * 100)).padStart(3)} %`;
        // A line that wraps could not be cleared again.
        const name = title.slice(0, Math.max(0, output.columns - BAR_COLUMNS - count.length - 3));
        draw(`${name} ${'━'.repeat(full)}${dimmed('─'.repeat(BAR_COLUMNS - full))} ${count}`);
      },
      end,
    }),
    writeAbove(text: string): void {
      const below = line;
      draw('');
      output.write(`${text}\n`);
      draw(below);
    },
  };
}

type Program = readonly [name: string, ...words: string[]];

/** Starts a program that opens a page. */
export type Launch = (program: Program) => {
  /** Its exit code; null when it could not be started, or was killed. */
  readonly ended: Promise<number | null>;
  /** Lets this process end before it. */
  leave(): void;
};

/** A program that finds no browser has ended by then; one that becomes the browser still runs. */
const MAX_LAUNCH_MS = 1500;

/** The program that opens an address in the browser. It is started without a shell, which could interpret the address. */
export function browserCommand(platform: NodeJS.Platform, address: string): Program {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with whether the page seems to be open. Refuses all addresses but http and https. */
export async function showPage(
  address: string,
  {
    platform = process.platform,
    launch = launchProgram,
    clock = systemClock,
  }: {
    readonly platform?: NodeJS.Platform;
    readonly launch?: Launch;
    readonly clock?: Pick<Clock, 'after'>;
  } = {},
): Promise<boolean> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
  const { ended, leave } = launch(browserCommand(platform, url.href));
  let cancel = () => {};
  const isLate = new Promise<'late'>((resolve) => {
    cancel = clock.after(MAX_LAUNCH_MS, () => resolve('late'));
  });
  const end = await Promise.race([ended, isLate]);
  cancel();
  if (end === 'late') leave();
  return end === 'late' || end === 0;
}

export function launchProgram([name, ...words]: Program): ReturnType<Launch> {
  const child = spawn(name, words, { stdio: 'ignore', detached: true });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  return { ended, leave: () => child.unref() };
}
