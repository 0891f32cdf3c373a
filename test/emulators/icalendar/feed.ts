import { createHash } from 'node:crypto';
import type { EmulatedHome } from '../homes.ts';

export type FeedDialect = 'airbnb' | 'vrbo' | 'booking';
/** Whole days, as the three write them; or times, in UTC or in a time zone, as other systems do. */
export type FeedDates = 'days' | 'utc' | 'zoned';

export type FeedEvent = {
  readonly from: string;
  readonly to: string;
  readonly kind: 'reservation' | 'block' | 'cancelled';
};

/** What a feed tells about guests and no one may keep. */
export const ICALENDAR_PRIVATE_VALUES = {
  guest: 'Gustavo Guest-Private',
  confirmation: 'HMPRIVATE77',
  phone: '9731',
} as const;

type FeedWriter = {
  readonly lineEnd: '\r\n' | '\n';
  readonly head: readonly string[];
  uid(hash: string): string;
  /** What an event says, beside its days. */
  words(event: FeedEvent): readonly string[];
};

const { guest, confirmation, phone } = ICALENDAR_PRIVATE_VALUES;

const WRITERS: Readonly<Record<FeedDialect, FeedWriter>> = {
  airbnb: {
    lineEnd: '\r\n',
    head: ['PRODID:-//Airbnb Inc//Hosting Calendar 1.0//EN', 'CALSCALE:GREGORIAN', 'VERSION:2.0'],
    uid: (hash) => `${hash.slice(0, 12)}-${hash.slice(12, 44)}@airbnb.com`,
    words: ({ kind }) =>
      kind === 'block'
        ? ['SUMMARY:Airbnb (Not available)']
        : [
            'SUMMARY:Reserved',
            `DESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reservations/details/${confirmation}\\nPhone Number (Last 4 Digits): ${phone}`,
          ],
  },
  vrbo: {
    lineEnd: '\n',
    head: ['VERSION:2.0', 'CALSCALE:GREGORIAN', 'PRODID:-//HomeAway.com, Inc.//EN'],
    uid: (hash) =>
      [
        hash.slice(0, 8),
        hash.slice(8, 12),
        `4${hash.slice(13, 16)}`,
        hash.slice(16, 20),
        hash.slice(20, 32),
      ].join('-'),
    words: ({ kind }) => [kind === 'block' ? 'SUMMARY:Blocked' : `SUMMARY:Reserved - ${guest}`],
  },
  booking: {
    lineEnd: '\r\n',
    head: [
      'VERSION:2.0',
      'PRODID:-//admin.booking.com\\, b.v.//NONSGML v1.0//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
    ],
    uid: (hash) => `${hash.slice(0, 32)}@booking.com`,
    words: () => ['SUMMARY:CLOSED - Not available'],
  },
};

/** A time zone comes with the rules of its summer time, which are no events. */
const TIME_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Lisbon',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0100',
  'DTSTART:19700329T010000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

export function writeFeed(
  home: EmulatedHome,
  events: readonly FeedEvent[],
  form: {
    readonly dialect: FeedDialect;
    readonly dates: FeedDates;
    readonly changedAt: number;
    readonly garbled: boolean;
  },
): string {
  const writer = WRITERS[form.dialect];
  const stamp = new Date(form.changedAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = (name: string, text: string, hour: number) =>
    form.garbled ? `${name};VALUE=DATE:some day` : dateLine(name, text, hour, form.dates);
  const lines = [
    'BEGIN:VCALENDAR',
    ...writer.head,
    ...(form.dates === 'zoned' ? TIME_ZONE : []),
    ...events.flatMap((event, index) => [
      'BEGIN:VEVENT',
      `UID:${writer.uid(createHash('sha256').update(`${home.id} ${index}`).digest('hex'))}`,
      `DTSTAMP:${stamp}`,
      day('DTSTART', event.from, home.checkInHour),
      // The day of departure: its night is free.
      day('DTEND', event.to, home.checkOutHour),
      ...(event.kind === 'cancelled' ? ['STATUS:CANCELLED'] : []),
      ...writer.words(event),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => fold(line, writer.lineEnd) + writer.lineEnd).join('');
}

function dateLine(name: string, day: string, hour: number, dates: FeedDates): string {
  const date = day.replaceAll('-', '');
  const time = `${date}T${String(hour).padStart(2, '0')}0000`;
  switch (dates) {
    case 'days':
      return `${name};VALUE=DATE:${date}`;
    case 'utc':
      return `${name}:${time}Z`;
    case 'zoned':
      return `${name};TZID=Europe/Lisbon:${time}`;
  }
}

const MAX_LINE_OCTETS = 75;

/** Everything written here is ASCII, so characters are octets. */
function fold(line: string, lineEnd: string): string {
  const first = line.slice(0, MAX_LINE_OCTETS);
  const rest = line.slice(MAX_LINE_OCTETS).match(new RegExp(`.{1,${MAX_LINE_OCTETS - 1}}`, 'g')) ?? [];
  return [first, ...rest].join(`${lineEnd} `);
}
