import { S_BAR, S_BAR_END, symbol } from '@clack/prompts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { Month } from '../../stay/month.ts';
import { askByKeys, type PromptStreams } from '../key-prompt.ts';
import type { DayQuestion, Terminal } from '../terminal.ts';
import { afterKey, type DayPicker, openPicker, type PickerKey, withOfferedDays } from './day-picker.ts';
import { chosenText, pickerLines } from './day-picker-lines.ts';

/** Besides the keys of the same name, those that other prompts know, and two for keyboards without page keys. */
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

/** A month in which a day is chosen. Other months are read when they are turned to. Resolves with `undefined` when the person gives up. */
export async function askForDayByKeys(
  { message, months, daysOf, near, today, arrival }: DayQuestion,
  streams: PromptStreams,
  { styled }: Pick<Terminal, 'styled'>,
): Promise<string | undefined> {
  // Drawn like the prompts of the library that asks for the rest.
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
