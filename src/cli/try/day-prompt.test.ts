import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Month, monthOf, parseDay, parseMonth } from '../../stay/day.ts';
import type { DayQuestion, TextStyle } from '../terminal.ts';
import { askForDayByKeys } from './day-prompt.ts';

const day = (text: string) => parseDay(text) ?? assert.fail(text);
const month = (text: string) => parseMonth(text) ?? assert.fail(text);
const styled = (_: TextStyle, text: string) => text;
const KEYS = {
  right: '\u001b[C',
  down: '\u001b[B',
  pageDown: '\u001b[6~',
  enter: '\r',
  ctrlC: '\u0003',
} as const;
const DAYS = ['2027-05-03', '2027-05-10', '2027-05-11', '2027-06-01'].map(day);

function ask(changes: Partial<DayQuestion> = {}) {
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
  });
  const written: string[] = [];
  const reads: Month[] = [];
  const question: DayQuestion = {
    message: 'Arrival',
    option: '--check-in',
    months: [month('2027-05'), month('2027-06')],
    near: day('2027-05-01'),
    today: day('2027-05-01'),
    arrival: null,
    async daysOf(wanted) {
      reads.push(wanted);
      return DAYS.filter((one) => monthOf(one) === wanted);
    },
    ...changes,
  };
  const output = { columns: 80, write: (text: string) => written.push(text) };
  const answer = askForDayByKeys(
    question,
    { input: input as unknown as NodeJS.ReadStream, output },
    { styled },
  );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    answer,
    raw,
    reads,
    settle,
    input,
    text: () => stripVTControlCharacters(written.join('')),
    frames: () => written,
    async press(...keys: readonly (keyof typeof KEYS)[]) {
      for (const key of keys) {
        await settle();
        input.write(KEYS[key]);
        await settle();
      }
    },
  };
}

describe('a day that is asked for', () => {
  it('is chosen with the arrow keys, and stays on the screen in one line', async () => {
    const prompt = ask();
    await prompt.press('right', 'right', 'enter');
    assert.equal(await prompt.answer, '2027-05-11');
    assert.deepEqual(prompt.raw, [true, false]);
    assert.match(prompt.text(), /\[ 3\][\s\S]*\[10\][\s\S]*\[11\]/);
    assert.match(prompt.frames().at(-2) ?? '', /Arrival\n.*Tue 11 May 2027$/);
  });

  it('reads another month when it is turned to, and each only once', async () => {
    const prompt = ask();
    await prompt.press('pageDown', 'down', 'enter');
    assert.equal(await prompt.answer, '2027-06-01');
    assert.deepEqual(prompt.reads, [month('2027-05'), month('2027-06')]);
    assert.match(prompt.text(), /Reading the days …/);
  });

  it('cannot be chosen before the month is read', async () => {
    let read = (_: readonly number[]) => {};
    const prompt = ask({
      daysOf: () =>
        new Promise((resolve) => {
          read = resolve;
        }),
    });
    await prompt.press('enter', 'right');
    read(DAYS.slice(0, 1));
    await prompt.press('enter');
    assert.equal(await prompt.answer, '2027-05-03');
  });

  it('is given up with Ctrl-C, and at the end of the input', async () => {
    const prompt = ask();
    await prompt.press('ctrlC');
    assert.equal(await prompt.answer, undefined);
    assert.deepEqual(prompt.raw, [true, false]);
    assert.ok(prompt.frames().at(-1)?.endsWith('\u001b[?25h'), 'the cursor is back');
    const closed = ask();
    await closed.settle();
    closed.input.end();
    assert.equal(await closed.answer, undefined);
  });

  it('fails with what keeps the days from being read', async () => {
    const prompt = ask({ daysOf: () => Promise.reject(new Error('gone')) });
    await assert.rejects(prompt.answer, /gone/);
    assert.deepEqual(prompt.raw, [true, false]);
  });

  it('is drawn over itself, however narrow the terminal is', async () => {
    const prompt = ask();
    await prompt.press('right');
    const [first = '', second = ''] = prompt.frames().slice(2);
    const rows = stripVTControlCharacters(first).split('\n').length;
    assert.ok(second.startsWith(`\r\u001b[${rows - 1}A\u001b[J`), JSON.stringify(second.slice(0, 12)));
    await prompt.press('ctrlC');
  });
});
