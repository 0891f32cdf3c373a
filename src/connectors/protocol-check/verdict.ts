import { REJECTION_RULES, type RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { JsonClient } from '../../outbound/http-client.ts';

/** The parts of a check of an open protocol server, in the order of the report. */
const PROTOCOL_CHECKS = [
  'catalogue',
  'catalogue_etag',
  'calendars',
  'quotes_free_stay',
  'quotes_taken_stay',
  'quotes_too_many_guests',
  'quotes_unknown_property',
  'quotes_repeated',
  'quotes_batch',
  'quotes_unknown_member',
  'bookings',
  'authorisation',
] as const;
export type ProtocolCheck = (typeof PROTOCOL_CHECKS)[number];

/** A finding of a part, or that it passed or was skipped. The operator's texts in it are safe for a terminal. */
export type CheckVerdict = {
  readonly check: ProtocolCheck;
  readonly verdict: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The call, and the path within its answer; empty for the part as a whole. */
  readonly place: string;
  /** Of a listing or a calendar; otherwise empty. */
  readonly rule: RejectionRule | '';
  readonly found: string;
  readonly expected: string;
  /** The duration of the call; null when the finding concerns no single call. */
  readonly milliseconds: number | null;
};

export type ProtocolReport = {
  readonly verdicts: readonly CheckVerdict[];
  /** The number of faults beyond those in `verdicts`. */
  readonly notListed: number;
};

/** The call that was made last: where a fault was found. */
export type LastCall = { readonly place: string; readonly milliseconds: number | null };

/** The calls of the protocol, one after the other, as the connector makes them. They reject with a `BookingSystemFailure`. */
export type CheckedServer = {
  get(path: string, etag?: string | null): ReturnType<JsonClient['get']>;
  post(path: '/calendars' | '/quotes', body: unknown): ReturnType<JsonClient['post']>;
};

/** A reference that no operator uses. */
export const UNKNOWN_PROPERTY = 'staywire-check.no-such-home';

type Fault = {
  /** By default the last call. */
  readonly call?: LastCall;
  /** Within the answer. */
  readonly path?: string;
  readonly found: string;
  /** What would be right; by default the remedy of the rule. */
  readonly expected?: string;
  readonly rule?: RejectionRule;
  readonly isWarning?: boolean;
};
export type ReportFault = (fault: Fault) => void;

/** A part that has nothing to check. */
export class Skipped extends Error {}

/** More faults of a part do not help an operator, and a catalogue can have a thousand. */
const MAX_FAULTS_OF_A_CHECK = 50;

export type CheckReport = {
  /** Runs a part; `work` returns what was checked. A failed call ends the part with a fault. */
  run(check: ProtocolCheck, work: (fault: ReportFault) => Promise<string> | string): Promise<void>;
  report(): ProtocolReport;
};

export function createCheckReport({
  lastCall,
  signal,
  onCheck,
}: {
  readonly lastCall: () => LastCall;
  readonly signal: AbortSignal;
  readonly onCheck: (check: ProtocolCheck) => void;
}): CheckReport {
  const found = new Map<ProtocolCheck, CheckVerdict[]>();
  let notListed = 0;

  return {
    async run(check, work) {
      onCheck(check);
      const verdicts: CheckVerdict[] = [];
      found.set(check, verdicts);
      const whole = wholeOf(check);
      const fault: ReportFault = ({
        call = lastCall(),
        path = '',
        rule,
        isWarning = false,
        found: what,
        expected,
      }) => {
        if (verdicts.length >= MAX_FAULTS_OF_A_CHECK) {
          notListed += 1;
          return;
        }
        verdicts.push({
          check,
          verdict: isWarning ? 'warning' : 'failed',
          place: `${call.place} ${path}`.trimEnd(),
          rule: rule ?? '',
          found: what,
          expected: expected ?? (rule ? REJECTION_RULES[rule].remedy : ''),
          milliseconds: call.milliseconds,
        });
      };
      try {
        const checked = await work(fault);
        if (verdicts.length === 0) verdicts.push({ ...whole, verdict: 'passed', found: checked });
      } catch (failure) {
        signal.throwIfAborted();
        if (failure instanceof Skipped) {
          if (verdicts.length === 0) verdicts.push({ ...whole, verdict: 'skipped', found: failure.message });
        } else if (failure instanceof BookingSystemFailure) {
          fault({ found: failure.message, expected: 'an answer as the operator protocol describes it' });
        } else throw failure;
      }
    },
    report: () => ({
      verdicts: PROTOCOL_CHECKS.flatMap(
        (check): readonly CheckVerdict[] => found.get(check) ?? [notReached(check)],
      ),
      notListed,
    }),
  };
}

function wholeOf(check: ProtocolCheck) {
  return { check, place: '', rule: '', expected: '', milliseconds: null } as const;
}

function notReached(check: ProtocolCheck): CheckVerdict {
  return { ...wholeOf(check), verdict: 'skipped', found: 'an earlier part found nothing to go on with' };
}

/** The value and the reason, or only the reason when it repeats the value. */
export function foundText(reason: string, value: string | undefined): string {
  return value === undefined || reason.includes(value) ? reason : `${value}: ${reason}`;
}
