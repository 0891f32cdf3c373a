import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { parseAmount } from '../../../stay/money.ts';
import type { PlacedFault } from '../listings/first-fault.ts';
import { found } from '../listings/first-fault.ts';
import { joinPeriods, type NightPeriods } from './night-periods.ts';

/** A fault and the line of the file that has it. */
export type CalendarLineFault = PlacedFault & { readonly line: number };

/** The calendars of a file in the plain format, whose lines come in any order. */
export type CollectedCalendars = {
  /** Prices are decimal amounts: the currency is known once the home is. */
  add(reference: string, line: number, periods: NightPeriods): void;
  /** Refuses the whole calendar: without one of its lines, free nights would count as taken. */
  refuse(reference: string, fault: CalendarLineFault): void;
  references(): Iterable<string>;
  isRefused(reference: string): boolean;
  /** The number of its first line; 0 when it has none. */
  lineOf(reference: string): number;
  /** In order of the nights, with prices in minor units of the currency. */
  of(reference: string, currency: string): Reading<NightPeriods, CalendarLineFault>;
};

type CollectedCalendar = {
  readonly line: number;
  readonly parts: NightPeriods[];
  refusal: CalendarLineFault | null;
};

const OVERLAP = {
  field: 'periods',
  rule: 'calendar_overlap',
  reason: 'has two periods with the same night',
} as const;

export function createCollectedCalendars(): CollectedCalendars {
  const calendars = new Map<string, CollectedCalendar>();

  function calendarOf(reference: string, line: number): CollectedCalendar {
    const known = calendars.get(reference) ?? { line, parts: [], refusal: null };
    calendars.set(reference, known);
    return known;
  }

  return {
    add: (reference, line, periods) => void calendarOf(reference, line).parts.push(periods),
    refuse(reference, fault) {
      const calendar = calendarOf(reference, fault.line);
      calendar.refusal ??= fault;
      calendar.parts.length = 0;
    },
    references: () => calendars.keys(),
    isRefused: (reference) => calendars.get(reference)?.refusal != null,
    lineOf: (reference) => calendars.get(reference)?.line ?? 0,
    of(reference, currency) {
      const calendar = calendars.get(reference);
      if (!calendar) {
        const reason = 'the file has no calendar for it';
        return invalid({ field: '', rule: 'calendar_missing', reason, line: 0 });
      }
      const { line, parts, refusal } = calendar;
      if (refusal) return invalid(refusal);
      const joined = joinPeriods(parts);
      if (!joined) return invalid({ ...OVERLAP, line });
      const prices = inMinorUnits(joined, currency);
      if (prices.kind === 'valid') return valid({ rules: joined.rules, prices: prices.value });
      return invalid(...prices.faults.map((fault) => ({ ...fault, line })));
    },
  };
}

function inMinorUnits({ prices }: NightPeriods, currency: string): Reading<Float64Array, PlacedFault> {
  const amounts = new Float64Array(prices.length).fill(Number.NaN);
  for (const [index, price] of prices.entries()) {
    if (Number.isNaN(price)) continue;
    const amount = parseAmount(String(price), currency);
    if (amount === undefined) {
      const reason = `is finer than ${currency} or too large`;
      return invalid({ field: 'periods/price', rule: 'price_too_fine', reason, ...found(price) });
    }
    amounts[index] = amount;
  }
  return valid(amounts);
}
