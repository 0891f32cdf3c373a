import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import type { ProtocolRule } from './protocol-rules.ts';

/** What a server of the open protocol is put through, in the order of the report. */
const PROTOCOL_CHECKS = [
  'http',
  'authorisation',
  'catalogue_pages',
  'catalogue_listings',
  'catalogue_etag',
  'calendars',
  'calendars_unknown_property',
  'quotes_free_stay',
  'quotes_repeated',
  'quotes_taken_stay',
  'quotes_too_many_guests',
  'quotes_unknown_property',
  'quotes_batch',
  'quotes_unknown_member',
  'bookings',
  'timing',
] as const;
export type ProtocolCheck = (typeof PROTOCOL_CHECKS)[number];
/** Nothing is said of what an operator need not have, and does not have. */
const OPTIONAL_CHECKS: readonly ProtocolCheck[] = ['bookings'];

/** One thing that was found, or that nothing was found. Texts of the operator in it are safe for a terminal. */
export type CheckVerdict = {
  readonly check: ProtocolCheck;
  readonly verdict: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The call, and the path within its answer; empty when the check as a whole is meant. */
  readonly place: string;
  /** Empty for a check that passed or was skipped. */
  readonly rule: ProtocolRule | RejectionRule | '';
  readonly found: string;
  readonly expected: string;
  /** How it should look, as JSON or a header; empty where there is nothing to show. */
  readonly example: string;
  /** Of the call in which it was found; null when no single call is meant. */
  readonly milliseconds: number | null;
};

export type CheckFault = Omit<CheckVerdict, 'check' | 'verdict' | 'rule'> & {
  readonly rule: ProtocolRule | RejectionRule;
  readonly isWarning?: boolean;
};

export type ProtocolReport = {
  readonly verdicts: readonly CheckVerdict[];
  /** How many more faults there are than `verdicts` lists. */
  readonly notListed: number;
};

/** Collects the verdicts of all checks. A check without a fault has passed. */
export type VerdictCollector = {
  begin(check: ProtocolCheck): void;
  fault(check: ProtocolCheck, fault: CheckFault): void;
  passed(check: ProtocolCheck, found: string): void;
  skip(check: ProtocolCheck, why: string): void;
  report(): ProtocolReport;
};

/** Of one check. More of the same kind tell an operator nothing new, and a catalogue can have a thousand of them. */
const MAX_FAULTS_OF_A_CHECK = 50;

export function createVerdictCollector(onCheck: (check: ProtocolCheck) => void): VerdictCollector {
  const faults = new Map<ProtocolCheck, Map<string, CheckVerdict>>();
  const passes = new Map<ProtocolCheck, string>();
  const skipped = new Map<ProtocolCheck, string>();
  const begun = new Set<ProtocolCheck>();
  let notListed = 0;

  function verdictsOf(check: ProtocolCheck): CheckVerdict[] {
    const found = [...(faults.get(check)?.values() ?? [])];
    if (found.length > 0) return found;
    const bare = { check, place: '', rule: '', expected: '', example: '', milliseconds: null } as const;
    const why = skipped.get(check);
    if (why !== undefined || !begun.has(check)) {
      return [{ ...bare, verdict: 'skipped', found: why ?? 'an earlier check found nothing to go on with' }];
    }
    return [{ ...bare, verdict: 'passed', found: passes.get(check) ?? '' }];
  }

  return {
    begin(check) {
      if (!begun.has(check)) onCheck(check);
      begun.add(check);
    },
    fault(check, { isWarning = false, ...fault }) {
      const known = faults.get(check) ?? new Map<string, CheckVerdict>();
      faults.set(check, known);
      const key = `${fault.place} ${fault.rule}`;
      if (known.has(key)) return;
      if (known.size >= MAX_FAULTS_OF_A_CHECK) notListed += 1;
      else known.set(key, { check, verdict: isWarning ? 'warning' : 'failed', ...fault });
    },
    passed: (check, found) => passes.set(check, found),
    skip: (check, why) => skipped.set(check, why),
    report: () => ({
      verdicts: PROTOCOL_CHECKS.filter(
        (check) => begun.has(check) || !OPTIONAL_CHECKS.includes(check),
      ).flatMap(verdictsOf),
      notListed,
    }),
  };
}
