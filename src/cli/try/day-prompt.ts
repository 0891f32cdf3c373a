import { createInterface, type Key } from 'node:readline';
import { S_BAR, S_BAR_END, symbol } from '@clack/prompts';
import { type Day, formatDay, type Month } from '../../stay/day.ts';

import type { DayQuestion, Terminal } from '../terminal.ts';
import { displayWidth } from '../text-layout.ts';
import {
  afterKey,
  chosenText,
  type DayPicker,
  openPicker,
  type PickerKey,
  pickerLines,
  withOfferedDays,
} from './day-picker.ts';

/** Also the vi keys of the other prompts, and `p` and `n` for keyboards without page keys. */
const KEYS: Readonly<Record<string, PickerKey>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  pageup: 'pageup',
  pagedown: 'pagedown',
  home: 'home',
  end: 'end',
  h: 'left',
  j: 'down',
  k: 'up',
  l: 'right',
  p: 'pageup',
  n: 'pagedown',
};

/** Asks for a day in a calendar. Loads each month when it is shown. Resolves with `undefined` when the person gives up. */
export async function askForDayByKeys(
  { message, months, daysOf, near, today, arrival }: DayQuestion,
  streams: PromptStreams,
  { styled }: Pick<Terminal, 'styled'>,
): Promise<string | undefined> {
  // Drawn like the prompts of the library that asks the other questions.
  const bar = styled('faint', S_BAR);
  const answer = await askByKeys<Day>(streams, ({ redraw, fail }) => {
    let picker: DayPicker = openPicker({ months, target: near, today, arrival });
    const asked = new Set<Month>();
    readMonth();

    function readMonth(): void {
      const { month } = picker;
      if (asked.has(month)) return;
      asked.add(month);
      daysOf(month).then((days) => {
        picker = withOfferedDays(picker, month, days);
        redraw();
      }, fail);
    }

    return {
      lines: () => [
        bar,
        `${symbol('active')}  ${message}`,
        ...pickerLines(picker, { styled }).map((line) => `${bar}  ${line}`),
        styled('faint', S_BAR_END),
      ],
      press({ name = '' }) {
        if (name === 'return' || name === 'enter') return picker.day ?? undefined;
        const key = KEYS[name];
        if (key !== undefined) picker = afterKey(picker, key);
        readMonth();
        return undefined;
      },
      lastLines: (day) => [
        bar,
        `${symbol(day === undefined ? 'cancel' : 'submit')}  ${message}`,
        `${bar}  ${day === undefined ? '' : styled('faint', chosenText(picker))}`,
      ],
    };
  });
  return answer === undefined ? undefined : formatDay(answer);
}

type PromptStreams = {
  readonly input: NodeJS.ReadStream;
  readonly output: { write(text: string): unknown; readonly columns: number };
};

type PromptControls = {
  redraw(): void;
  /** Ends the prompt with an error. */
  fail(error: unknown): void;
};

type KeyPrompt<Answer> = {
  /** The lines on the screen. */
  lines(): readonly string[];
  /** An answer ends the prompt. */
  press(key: Key): Answer | undefined;
  /** The lines that stay on the screen; the answer is `undefined` when the person gave up. */
  lastLines(answer: Answer | undefined): readonly string[];
};

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** How long to wait after Escape for the rest of a key sequence, as the other prompts do. */
const ESCAPE_MS = 50;

/** Draws lines below the cursor and redraws them after each key. Resolves with `undefined` at Ctrl-C, Escape or the end of the input. */
function askByKeys<Answer>(
  { input, output }: PromptStreams,
  open: (controls: PromptControls) => KeyPrompt<Answer>,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    let rowsAbove = 0;
    let isOver = false;
    const prompt = open({
      redraw() {
        if (!isOver) draw(prompt.lines());
      },
      fail(error) {
        reject(error);
        end(undefined);
      },
    });
    const reader = createInterface({ input, terminal: true, escapeCodeTimeout: ESCAPE_MS });
    input.on('keypress', pressed);
    reader.once('close', () => end(undefined));
    output.write(HIDE_CURSOR);
    draw(prompt.lines());

    function pressed(_text: string | undefined, key: Key): void {
      const isOff = key.name === 'escape' || (key.ctrl && key.name === 'c');
      const answer = isOff ? undefined : prompt.press(key);
      if (isOff || answer !== undefined) end(answer);
      else if (!isOver) draw(prompt.lines());
    }

    function end(answer: Answer | undefined): void {
      if (isOver) return;
      isOver = true;
      input.off('keypress', pressed);
      reader.close();
      draw(prompt.lastLines(answer));
      output.write(`\n${SHOW_CURSOR}`);
      resolve(answer);
    }

    function draw(lines: readonly string[]): void {
      const up = rowsAbove > 0 ? `\u001b[${rowsAbove}A` : '';
      output.write(`\r${up}\u001b[J${lines.join('\n')}`);
      rowsAbove = rowsOf(lines, output.columns) - 1;
    }
  });
}

/** A line wider than the terminal takes several rows. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines
    .flatMap((line) => line.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / (columns || 80))), 0);
}
