import assert from 'node:assert/strict';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { feedFrom } from '../readers.ts';

const LINES: readonly string[] = [
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  'BEGIN:VEVENT',
  'END:VEVENT',
  'BEGIN:VALARM',
  'END:VALARM',
  'DTSTART;VALUE=DATE:20270710',
  'DTEND;VALUE=DATE:20270715',
  'DTSTART;TZID="Europe/Lisbon":20270710T150000',
  'DTEND:99991231T235959Z',
  'DTSTART:00000101',
  'DURATION:P1DT12H',
  'DURATION:-P999999W',
  'STATUS:CANCELLED',
  'RRULE:FREQ=SECONDLY',
  'SUMMARY:Reserved',
  ' folded',
  '',
];
const SIGNS = [':', ';', '"', '=', '\r', '\n', '\n ', '\u0000', 'T', 'Z', 'P', '0', '\u00e9'];

/** iCalendar feeds: well-formed ones with some of their lines and letters changed, left out or repeated. */
export const feeds: FuzzTarget = {
  name: 'feeds',
  weight: 4,
  maxCpuMs: 50,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const lines: string[] = ['BEGIN:VCALENDAR'];
  for (let event = random.integer(6); event > 0; event -= 1) {
    lines.push('BEGIN:VEVENT', 'DTSTART:20270710', 'DTEND:20270715', 'END:VEVENT');
  }
  lines.push('END:VCALENDAR');
  for (let change = random.integer(4); change > 0; change -= 1) {
    lines.splice(random.integer(lines.length), random.integer(2), random.pick(LINES));
  }
  let text = lines.join(random.pick(['\r\n', '\n']));
  for (let change = random.integer(4); change > 0; change -= 1) {
    const at = random.integer(text.length);
    text = text.slice(0, at) + random.pick(SIGNS) + text.slice(at + random.integer(2));
  }
  const reading = timed(() => feedFrom(text), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0 && reading.faults.every(({ line }) => line >= 1));
    return;
  }
  for (const [index, { from, to }] of reading.value.entries()) {
    assert.ok(from < to && from > (reading.value[index - 1]?.to ?? Number.NEGATIVE_INFINITY));
  }
}
