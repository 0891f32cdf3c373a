import assert from 'node:assert/strict';
import { unpackPeriods } from '../../../src/connectors/shared/calendars/night-periods.ts';
import { plainListing } from '../../support/plain-listing.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText } from '../odd-values.ts';
import { plainLinesFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const VALID_LINES = [
  { type: 'header', format: 'staywire-plain', version: 1 },
  { type: 'property', ...plainListing },
  {
    type: 'calendar',
    property: plainListing.reference,
    periods: [
      { from: '2027-04-01', to: '2027-04-08', available: true, price: '80.00', minimum_stay: 2 },
      { from: '2027-04-08', to: '2027-05-01', available: false, maximum_stay: 30, closed_to_arrival: true },
    ],
  },
  {
    type: 'calendar',
    property: plainListing.reference,
    periods: [
      { from: '2027-05-01', to: '2027-06-01', available: true, closed_to_departure: true, price: '90' },
    ],
  },
];
/** Files in the plain format, which an owner imports. */
export const imports: FuzzTarget = {
  name: 'imports',
  weight: 8,
  maxCpuMs: 60,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readLines, close: async () => undefined }),
};

function readLines(random: InputRandom, timed: Timed): void {
  const lines = VALID_LINES.map((line) =>
    random.oneIn(2) ? JSON.stringify(line) : spelledJson(mutatedJson(line, random), random),
  );
  const text = mutatedText(lines.join('\n'), random);
  const { items, calendars } = timed(() => plainLinesFrom(text), text.length);
  for (const item of items) {
    if (item.kind === 'refused_calendar') assert.ok(item.fault.reason.length > 0 && item.fault.line > 0);
  }
  for (const calendar of calendars) {
    if (calendar.kind === 'invalid') continue;
    let end = Number.NEGATIVE_INFINITY;
    for (const { from, to, minimumStay, price } of unpackPeriods(calendar.value)) {
      assert.ok(from >= end && to > from && minimumStay >= 1);
      assert.ok(Number.isNaN(price) || Number.isSafeInteger(price));
      end = to;
    }
  }
}

/** A text with a few signs left out, doubled or put in at random places. */
function mutatedText(text: string, random: InputRandom): string {
  let changed = text;
  for (let changes = random.integer(4); changes > 0; changes -= 1) {
    const [from, length] = [random.integer(changed.length + 1), random.integer(12)];
    const put = random.pick([
      '',
      '"',
      ',',
      '\n',
      '\r',
      '""',
      changed.slice(from, from + length),
      oddText(random),
    ]);
    changed = changed.slice(0, from) + put + changed.slice(from + random.integer(length + 1));
  }
  return changed;
}
