import { createInterface, type Key } from 'node:readline';
import { displayWidth } from './display-width.ts';

export type PromptStreams = {
  readonly input: NodeJS.ReadStream;
  readonly output: { write(text: string): unknown; readonly columns: number };
};

type PromptControls = {
  redraw(): void;
  /** Ends the prompt with an error. */
  fail(error: unknown): void;
};

export type KeyPrompt<Answer> = {
  /** What is on the screen. */
  lines(): readonly string[];
  /** An answer ends the prompt. */
  press(key: Key): Answer | undefined;
  /** What stays on the screen; `undefined` when the person has given up. */
  lastLines(answer: Answer | undefined): readonly string[];
};

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** As long as the other prompts wait for the rest of a key's sequence after Escape. */
const ESCAPE_MS = 50;

/** A drawing below the cursor that every key may change; the reader makes the terminal hand over each key at once. Resolves with `undefined` at Ctrl-C, Escape or the end of the input. */
export function askByKeys<Answer>(
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

/** A line that is wider than the terminal goes on in the next row. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines
    .flatMap((line) => line.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / (columns || 80))), 0);
}
