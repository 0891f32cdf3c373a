import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { judgeAnswer } from '../../quotes/judge-answer.ts';
import { formatDay } from '../../stay/day.ts';
import { readQuotes } from '../open/read-quotes.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import type { CallServer } from './call-server.ts';
import { ruleOfDocument } from './check-catalogue.ts';
import { type Answered, reportQuotes } from './expect-quotes.ts';
import type { SampleStay } from './sample-stays.ts';
import type { ProtocolCheck, VerdictCollector } from './verdict.ts';

type CheckedStay = {
  readonly references: readonly string[];
  readonly stay: SampleStay;
  readonly guests: number;
  readonly currency: string;
  /** Besides what the protocol names. */
  readonly more?: Readonly<Record<string, unknown>>;
};

export type Ask = (check: ProtocolCheck, asked: CheckedStay) => Promise<Answered | undefined>;

/** Reads and judges each answer as a search does. */
export function createAsk(server: CallServer, collector: VerdictCollector, clock: Clock): Ask {
  return async (check, { references, stay, guests, currency, more = {} }) => {
    collector.begin(check);
    const result = await server.post('/quotes', {
      properties: references,
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests,
      currency,
      ...more,
    });
    const { milliseconds } = result;
    if (result.kind !== 'document') {
      collector.skip(check, 'the call failed');
      return undefined;
    }
    try {
      const outcomes = [...readQuotes(result.bytes, { asked: references, currency })];
      const verdicts = judgeAnswer({ references, outcomes, currency, answeredAt: clock.now() });
      const { quotes } = parseDocument(result.bytes) as { readonly quotes: readonly unknown[] };
      return { verdicts, quotes, milliseconds };
    } catch (error) {
      if (!(error instanceof BookingSystemFailure)) throw error;
      const rule = ruleOfDocument(error, 'answer_shape');
      reportQuotes(collector, check, rule, { place: '', found: error.message, milliseconds });
      return undefined;
    }
  };
}
