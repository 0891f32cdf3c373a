import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDay, parseDay } from '../../stay/day.ts';
import { MAX_FEED_EVENTS, parseFeed } from './parse-feed.ts';

const LISBON = 'Europe/Lisbon';
const encode = (text: string) => new TextEncoder().encode(text);
const day = (text: string) => parseDay(text) ?? Number.NaN;
const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: readonly string[]) => calendar('BEGIN:VEVENT', ...lines, 'END:VEVENT');

/** `2027-07-10 to 2027-07-15`, or the faults as `line rule`. */
function read(text: string, timeZone = LISBON): readonly string[] {
  const reading = parseFeed(encode(text), timeZone);
  return reading.kind === 'valid'
    ? reading.value.map(({ from, to }) => `${formatDay(from)} to ${formatDay(to)}`)
    : reading.faults.map(({ line, rule }) => `${line} ${rule}`);
}

describe('the nights that an event takes', () => {
  const cases: readonly (readonly [what: string, lines: readonly string[], nights: readonly string[]])[] = [
    [
      'of two dates end before the second',
      ['DTSTART;VALUE=DATE:20270710', 'DTEND;VALUE=DATE:20270715'],
      ['2027-07-10 to 2027-07-15'],
    ],
    ['of a date alone are one', ['DTSTART;VALUE=DATE:20270710'], ['2027-07-10 to 2027-07-11']],
    [
      'of a date that is its own end are one',
      ['DTSTART;VALUE=DATE:20270710', 'DTEND;VALUE=DATE:20270710'],
      ['2027-07-10 to 2027-07-11'],
    ],
    ['need no VALUE', ['DTSTART:20270710', 'DTEND:20270712'], ['2027-07-10 to 2027-07-12']],
    [
      'go from the day of arrival to the day of departure',
      ['DTSTART:20270710T150000', 'DTEND:20270715T110000'],
      ['2027-07-10 to 2027-07-15'],
    ],
    [
      'are those of the place when the time is in UTC',
      ['DTSTART:20270710T233000Z', 'DTEND:20270715T100000Z'],
      ['2027-07-11 to 2027-07-15'],
    ],
    [
      'are those of the place when the time is that of another zone',
      ['DTSTART;TZID=America/New_York:20270710T200000', 'DTEND;TZID=America/New_York:20270715T060000'],
      ['2027-07-11 to 2027-07-15'],
    ],
    [
      'are as written in a zone that nobody knows',
      ['DTSTART;TZID="Casa; the: zone":20270710T233000', 'DTEND;TZID="Casa; the: zone":20270712T100000'],
      ['2027-07-10 to 2027-07-12'],
    ],
    ['of a time alone are one', ['DTSTART:20270710T150000'], ['2027-07-10 to 2027-07-11']],
    [
      'include the last one when the event ends at the end of a day',
      ['DTSTART:20270710T000000', 'DTEND:20270714T235959'],
      ['2027-07-10 to 2027-07-15'],
    ],
    ['are none for a visit by day', ['DTSTART:20270710T100000', 'DTEND:20270710T140000'], []],
    [
      'are one for an evening',
      ['DTSTART:20270710T190000', 'DTEND:20270710T230000'],
      ['2027-07-10 to 2027-07-11'],
    ],
    ['follow a duration of days', ['DTSTART:20270710', 'DURATION:P5D'], ['2027-07-10 to 2027-07-15']],
    ['follow a duration of weeks', ['DTSTART:20270710', 'DURATION:P1W'], ['2027-07-10 to 2027-07-17']],
    [
      'follow a duration of hours',
      ['DTSTART:20270710T150000', 'DURATION:+P1DT19H30M'],
      ['2027-07-10 to 2027-07-12'],
    ],
    [
      'are one for a duration of nothing',
      ['DTSTART:20270710T150000', 'DURATION:PT0S'],
      ['2027-07-10 to 2027-07-11'],
    ],
    ['are none when it is cancelled', ['DTSTART:20270710', 'STATUS:CANCELLED'], []],
    [
      'are none when it is cancelled, whatever else it says',
      ['DTSTART:tomorrow', 'RRULE:FREQ=DAILY', 'STATUS:Cancelled'],
      [],
    ],
    ['stay when it is tentative', ['DTSTART:20270710', 'STATUS:TENTATIVE'], ['2027-07-10 to 2027-07-11']],
    [
      'stay when one of two states is another',
      ['DTSTART:20270710', 'STATUS:CONFIRMED', 'STATUS:CANCELLED'],
      ['2027-07-10 to 2027-07-11'],
    ],
    [
      'stay when it is called transparent, as calendars call whole days by default',
      ['DTSTART:20270710', 'TRANSP:TRANSPARENT'],
      ['2027-07-10 to 2027-07-11'],
    ],
    [
      'do not depend on its parts',
      ['DTSTART:20270710', 'BEGIN:VALARM', 'DURATION:P9D', 'DTEND:20280101', 'END:VALARM'],
      ['2027-07-10 to 2027-07-11'],
    ],
    [
      'reach as far as dates are written',
      ['DTSTART:00010101', 'DTEND:99991231'],
      ['1900-01-01 to 2200-01-01'],
    ],
    [
      'are named in small letters too',
      ['dtstart;value=date:20270710', 'dtend;value=date:20270712'],
      ['2027-07-10 to 2027-07-12'],
    ],
  ];
  for (const [what, lines, nights] of cases) {
    it(what, () => assert.deepEqual(read(event(...lines)), nights));
  }

  it('are those of the place west of Greenwich too: more rather than fewer', () => {
    const lines = ['DTSTART:20270711T000000Z', 'DTEND:20270715T000000Z'];
    assert.deepEqual(read(event(...lines), 'America/New_York'), ['2027-07-10 to 2027-07-15']);
  });
});

describe('a feed', () => {
  it('is the union of its events, in order', () => {
    const text = calendar(
      ...['20270720/20270722', '20270710/20270712', '20270712/20270713', '20270711/20270712'].flatMap(
        (one) => {
          const [start, end] = one.split('/');
          return ['BEGIN:VEVENT', `DTSTART:${start}`, `DTEND:${end}`, 'END:VEVENT'];
        },
      ),
    );
    assert.deepEqual(read(text), ['2027-07-10 to 2027-07-13', '2027-07-20 to 2027-07-22']);
  });

  it('may be empty, or hold several calendars', () => {
    assert.deepEqual(read(calendar()), []);
    assert.deepEqual(read(event('DTSTART:20270710') + event('DTSTART:20270720')), [
      '2027-07-10 to 2027-07-11',
      '2027-07-20 to 2027-07-21',
    ]);
  });

  it('is unfolded anywhere, with either line end, tab or blank, and a byte order mark', () => {
    const text = event('DTSTART;VALUE=DATE:20270710', 'DTEND;VALUE=DATE:20270715');
    const folded = `\ufeff${text.replace('DTSTART', 'DTS\r\n TART').replace('0715', '\r\n\t0715')}`;
    assert.deepEqual(read(folded), ['2027-07-10 to 2027-07-15']);
    assert.deepEqual(read(folded.replaceAll('\r\n', '\n')), ['2027-07-10 to 2027-07-15']);
  });

  it('keeps its time zones to itself: their repetitions are of no event', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Casa', 'BEGIN:STANDARD', 'DTSTART:19701025T030000'];
    const text = calendar(
      ...zone,
      'RRULE:FREQ=YEARLY;BYMONTH=10',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'DTSTART;TZID=Casa:20270710T150000',
      'END:VEVENT',
    );
    assert.deepEqual(read(text), ['2027-07-10 to 2027-07-11']);
  });
});

describe('a feed that cannot be trusted', () => {
  const cases: readonly (readonly [what: string, text: string, faults: readonly string[]])[] = [
    ['repeats', event('DTSTART:20270710', 'RRULE:FREQ=WEEKLY'), ['5 recurrence']],
    ['repeats by dates', event('DTSTART:20270710', 'RDATE:20270810'), ['5 recurrence']],
    ['is empty', '', ['1 not_a_calendar']],
    ['is a page', '<!doctype html>\n<title>Log in</title>\n', ['1 not_a_calendar']],
    ['has events of no calendar', 'BEGIN:VEVENT\nDTSTART:20270710\nEND:VEVENT\n', ['1 not_a_calendar']],
    ['is cut off', event('DTSTART:20270710').slice(0, -15), ['5 not_closed']],
    ['closes what is not open', calendar('BEGIN:VEVENT', 'END:VTODO'), ['4 not_closed']],
    ['has an event in an event', event('DTSTART:20270710', 'BEGIN:VEVENT'), ['5 wrong_nesting']],
    ['has an event in a task', calendar('BEGIN:VTODO', 'BEGIN:VEVENT'), ['4 wrong_nesting']],
    ['has a calendar in a calendar', calendar('BEGIN:VCALENDAR'), ['3 wrong_nesting']],
    ['speaks of free and busy times', calendar('BEGIN:VFREEBUSY', 'END:VFREEBUSY'), ['3 not_understood']],
    ['has an event without a start', event('DTEND:20270710'), ['3 missing_start']],
    ['has a day that does not exist', event('DTSTART:20270230'), ['4 not_a_time']],
    ['has a month that does not exist', event('DTSTART:20270030'), ['4 not_a_time']],
    ['has a time that does not exist', event('DTSTART:20270210T246000'), ['4 not_a_time']],
    ['has days in another form', event('DTSTART:2027-02-10'), ['4 not_a_time']],
    ['has two days in one', event('DTSTART:20270210,20270211'), ['4 not_a_time']],
    ['ends before it starts', event('DTSTART:20270210', 'DTEND:20270209'), ['5 ends_before_start']],
    ['has a negative duration', event('DTSTART:20270210', 'DURATION:-P1D'), ['5 not_a_duration']],
    ['has a duration of nothing at all', event('DTSTART:20270210', 'DURATION:P'), ['5 not_a_duration']],
    ['has a duration without its time', event('DTSTART:20270210', 'DURATION:P1DT'), ['5 not_a_duration']],
    ['starts twice', event('DTSTART:20270210', 'DTSTART:20270211'), ['5 given_twice']],
    ['ends in two ways', event('DTSTART:20270210', 'DTEND:20270211', 'DURATION:P1D'), ['6 given_twice']],
    ['has an open quote', event('DTSTART;TZID="Casa:20270210'), ['4 not_a_property']],
  ];
  for (const [what, text, faults] of cases) {
    it(what, () => assert.deepEqual(read(text), faults));
  }

  it('is described without a word of its text', () => {
    const name = 'Maria Antunes +351 912 345 678';
    const texts = [
      event(`SUMMARY:${name}`, `DTSTART:${name}`),
      event(`SUMMARY:${name}`, 'DTSTART:20270710', `DURATION:${name}`),
      calendar(`BEGIN:${name}`, 'BEGIN:VEVENT'),
      event(`SUMMARY:${name}`, 'DTSTART:20270710', `RRULE:${name}`),
    ];
    for (const text of texts) {
      const reading = parseFeed(encode(text), LISBON);
      assert.equal(reading.kind, 'invalid');
      assert.doesNotMatch(JSON.stringify(reading.faults), /Maria|912/i);
    }
  });
});

describe('a feed beyond its limits', () => {
  const many = (count: number) =>
    calendar(
      ...Array.from({ length: count }, () => ['BEGIN:VEVENT', 'DTSTART:20270710', 'END:VEVENT']).flat(),
    );
  const cases: readonly (readonly [what: string, text: () => string, rule: string])[] = [
    ['of bytes', () => calendar(`X:${'x'.repeat(1024 * 1024)}`), 'too_large'],
    ['of lines', () => `BEGIN:VCALENDAR\n${'\n'.repeat(1_000_000)}`, 'too_many_lines'],
    ['of folded lines', () => `BEGIN:VCALENDAR\nX:${'\n '.repeat(500_000)}`, 'too_many_lines'],
    ['of the length of a line', () => calendar(`X:${'y\r\n '.repeat(70_000)}`), 'line_too_long'],
    ['of events', () => many(MAX_FEED_EVENTS + 1), 'too_many_events'],
    ['of depth', () => calendar(...Array.from({ length: 60_000 }, () => 'BEGIN:X')), 'wrong_nesting'],
    [
      'of time zones',
      () =>
        calendar(
          ...Array.from({ length: 5000 }, (_, index) => [
            'BEGIN:VEVENT',
            `DTSTART;TZID=Zone/N${index}:20270710T100000`,
            'END:VEVENT',
          ]).flat(),
        ),
      'too_many_time_zones',
    ],
  ];
  for (const [what, text, rule] of cases) {
    it(what, () => {
      const [first = ''] = read(text());
      assert.equal(first.split(' ')[1], rule);
    });
  }
});

/** The facts of an event, and a plain calculation of its nights. */
type MeantEvent = { readonly lines: readonly string[]; readonly nights: readonly number[] };

const MS_PER_DAY = 86_400_000;
const BASE = day('2027-01-01');
const compact = (date: number) => formatDay(date).replaceAll('-', '');
const nightsOf = (from: number, to: number) => {
  const nights: number[] = [];
  for (let night = from; night < to; night += 1) nights.push(night);
  return nights;
};
/** The local time in the zone, from another function of the platform: `2027-07-10 15:00:00`. */
const shownIn = (timeZone: string, instant: number) =>
  new Date(instant).toLocaleString('sv-SE', { timeZone });

const dates = fc
  .record({
    start: fc.integer({ min: BASE, max: BASE + 300 }),
    nights: fc.integer({ min: 0, max: 20 }),
    form: fc.constantFrom('end', 'duration', 'none'),
    isCancelled: fc.boolean(),
  })
  .map(({ start, nights, form, isCancelled }): MeantEvent => {
    const length = form === 'none' ? 0 : nights;
    const end = {
      end: `DTEND;VALUE=DATE:${compact(start + nights)}`,
      duration: `DURATION:P${nights}D`,
      none: '',
    };
    return {
      lines: [
        `DTSTART;VALUE=DATE:${compact(start)}`,
        end[form],
        isCancelled ? 'STATUS:CANCELLED' : 'STATUS:CONFIRMED',
      ],
      nights: isCancelled ? [] : nightsOf(start, start + Math.max(1, length)),
    };
  });

const times = (placeZone: string) =>
  fc
    .record({
      start: fc.integer({ min: BASE, max: BASE + 300 }),
      days: fc.integer({ min: 0, max: 10 }),
      // Not in the hours in which a zone changes its clocks, when the same time comes twice.
      startMinute: fc.integer({ min: 9 * 60, max: 22 * 60 }),
      endMinute: fc.integer({ min: 9 * 60, max: 22 * 60 }),
      zone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Tokyo', 'Europe/Lisbon'),
    })
    .map(({ start, days, startMinute, endMinute, zone }): MeantEvent => {
      const from = start * MS_PER_DAY + startMinute * 60_000;
      const to = Math.max(from + 60_000, (start + days) * MS_PER_DAY + endMinute * 60_000);
      const written = (instant: number) => {
        const digits = shownIn(zone, instant).replaceAll(/[-:]/g, '').replace(' ', 'T');
        return zone === 'UTC' ? `:${digits}Z` : `;TZID=${zone}:${digits}`;
      };
      const [firstDay = '', lastDay = ''] = [from, to].map((instant) =>
        shownIn(placeZone, instant).slice(0, 10),
      );
      const isLate = shownIn(placeZone, to).slice(11) > '18:00:00';
      return {
        lines: [`DTEND${written(to)}`, `DTSTART${written(from)}`],
        nights: nightsOf(day(firstDay), day(lastDay) + (isLate ? 1 : 0)),
      };
    });

const decoration = fc.constantFrom(
  'SUMMARY:Reserved - Maria',
  'DESCRIPTION:Reservation URL: https://example.org/x?DTSTART:1',
  'X-DTSTART:20270101',
  'UID:1@example.org',
  'TRANSP:TRANSPARENT',
  'ATTENDEE;CN="A; B: C":mailto:a@example.org',
);

describe('any feed', () => {
  for (const placeZone of ['Europe/Lisbon', 'America/New_York', 'Asia/Tokyo']) {
    it(`takes the nights that its events mean, in ${placeZone}`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.oneof(dates, times(placeZone)), fc.array(decoration, { maxLength: 3 })), {
            maxLength: 12,
          }),
          fc.array(fc.nat(), { maxLength: 30 }),
          fc.constantFrom('\r\n', '\n'),
          (events, folds, newline) => {
            const lines = events.flatMap(([{ lines: meant }, others]) => [
              'BEGIN:VEVENT',
              ...meant.filter((line) => line !== ''),
              ...others,
              'END:VEVENT',
            ]);
            let text = calendar(...lines).replaceAll('\r\n', newline);
            for (const fold of folds) {
              const at = fold % text.length;
              // Not before or after a line end: there a blank would form a separate line, or fold the next one.
              if (/[\r\n]/.test(text.slice(Math.max(0, at - 1), at + 1)) || at === 0) continue;
              text = `${text.slice(0, at)}${newline} ${text.slice(at)}`;
            }
            const reading = parseFeed(encode(text), placeZone);
            assert.ok(reading.kind === 'valid', JSON.stringify(reading));
            const expected = new Set(events.flatMap(([{ nights }]) => nights));
            const found = reading.value.flatMap(({ from, to }) => nightsOf(from, to));
            assert.deepEqual(
              found,
              [...expected].sort((a, b) => a - b),
            );
            for (const [index, { from }] of reading.value.entries()) {
              assert.ok(from > (reading.value[index - 1]?.to ?? 0), 'ranges neither touch nor overlap');
            }
          },
        ),
      );
    });
  }

  it('never throws, whatever its bytes are', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'BEGIN:VCALENDAR\n',
        'END:VCALENDAR\n',
        'BEGIN:VEVENT\n',
        'END:VEVENT\n',
        'DTSTART',
        ';TZID=',
        '"',
        ':',
        ';',
        '\r\n ',
        '20270710',
        'T150000',
        'Z',
        'DURATION:P',
        'Europe/Lisbon',
        '\n',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        parseFeed(encode(pieces.join('')), LISBON);
      }),
    );
  });
});
