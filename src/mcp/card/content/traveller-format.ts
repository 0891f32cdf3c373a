import { decimalsOf } from '../../../stay/money.ts';

/** Amounts and times as the traveller writes them. */
export type TravellerFormat = {
  readonly money: (amount: number) => string;
  readonly count: (value: number) => string;
  /** Both days of a stay, each `YYYY-MM-DD`. */
  readonly stay: (checkIn: string, checkOut: string) => string;
  /** `YYYY-MM-DD`. */
  readonly day: (day: string) => string;
  /** `YYYY-MM`. */
  readonly month: (month: string) => string;
  /** Day and time as a local clock shows them, whatever the offset. */
  readonly localTime: (timestamp: string) => string;
  /** An instant in the traveller's time zone. */
  readonly instant: (timestamp: string, withZone?: boolean) => string;
  /** A time of day such as 15:00. */
  readonly timeOfDay: (time: string) => string;
};

export type TravellerPreferences = {
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  readonly currency: string;
};

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const WALL_CLOCK_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Falls back to the browser's settings where it does not know the host's locale or time zone. */
export function travellerFormat({ locale, timeZone, currency }: TravellerPreferences): TravellerFormat {
  const locales = knownOr(undefined, locale, (name) => Intl.getCanonicalLocales(name));
  const zone = knownOr<{ timeZone?: string }>({}, timeZone, (name) => {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return { timeZone: name };
  });
  const money = moneyFormat(locales, currency);
  const numbers = new Intl.NumberFormat(locales);
  const days = new Intl.DateTimeFormat(locales, { ...DAY, timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locales, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const wallClock = new Intl.DateTimeFormat(locales, { ...DAY, ...TIME, timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locales, { ...TIME, timeZone: 'UTC' });
  const instants = new Intl.DateTimeFormat(locales, { ...DAY, ...TIME, ...zone });
  const instantsWithZone = new Intl.DateTimeFormat(locales, {
    ...DAY,
    ...TIME,
    ...zone,
    timeZoneName: 'short',
  });
  return {
    money,
    count: (value) => numbers.format(value),
    stay: (checkIn, checkOut) => days.formatRange(new Date(checkIn), new Date(checkOut)),
    day: (day) => days.format(new Date(day)),
    month: (month) => months.format(new Date(month)),
    localTime: (timestamp) => wallClock.format(new Date(`${timestamp.slice(0, WALL_CLOCK_LENGTH)}Z`)),
    instant: (timestamp, withZone = false) =>
      (withZone ? instantsWithZone : instants).format(new Date(timestamp)),
    timeOfDay: (time) => times.format(new Date(`1970-01-01T${time}:00Z`)),
  };
}

function moneyFormat(locales: string[] | undefined, currency: string): TravellerFormat['money'] {
  const format = knownOr(null, currency, (code) => {
    const decimals = decimalsOf(code);
    return new Intl.NumberFormat(locales, {
      style: 'currency',
      currency: code,
      // Browsers drop decimals that are unusual for a currency, and would round the operator's amount.
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      trailingZeroDisplay: 'stripIfInteger',
    });
  });
  return (amount) => format?.format(amount) ?? `${amount} ${currency}`;
}

function knownOr<T>(otherwise: T, name: string | undefined, read: (name: string) => T): T {
  try {
    return name === undefined ? otherwise : read(name);
  } catch {
    return otherwise;
  }
}
