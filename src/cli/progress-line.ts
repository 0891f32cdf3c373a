import { cutToWidth } from './display-width.ts';
import type { Progress, StatusLine } from './terminal.ts';

const BAR_COLUMNS = 24;
const TO_START_AND_CLEAR = '\r\u001b[K';

type LineOutput = { write(text: string): unknown; readonly columns: number };

/** The last line of a terminal, redrawn in place. It takes nothing of the input, so that Ctrl-C stays what it is. */
export type ProgressLine = {
  start(title: string): Progress;
  startWaiting(): StatusLine;
  /** Writes above the line. */
  writeAbove(text: string): void;
};

export function createProgressLine(output: LineOutput, dimmed: (text: string) => string): ProgressLine {
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
    startWaiting: () => ({ show: (text) => draw(cutToWidth(text, output.columns - 1)), end }),
    start: (title) => ({
      update(done, total) {
        const part = total > 0 ? Math.min(1, done / total) : 0;
        const full = Math.floor(part * BAR_COLUMNS);
        const count = `${Math.floor(part * 100)
          .toString()
          .padStart(3)} %`;
        // A line that wraps could not be cleared again.
        const name = title.slice(0, Math.max(0, output.columns - BAR_COLUMNS - count.length - 3));
        draw(`${name} ${'━'.repeat(full)}${dimmed('─'.repeat(BAR_COLUMNS - full))} ${count}`);
      },
      end,
    }),
    writeAbove(text) {
      const below = line;
      draw('');
      output.write(`${text}\n`);
      draw(below);
    },
  };
}
