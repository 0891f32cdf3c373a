import { REJECTION_RULES, type RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';

/** The checks of an open protocol server, in the order of the report. */
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
/** Left out of the report when the server does not implement the call. */
const OPTIONAL_CHECKS: readonly ProtocolCheck[] = ['bookings'];

/** One finding of a check, or that the check passed or was skipped. The operator's texts in it are safe for a terminal. */
export type CheckVerdict = {
  readonly check: ProtocolCheck;
  readonly verdict: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The call, and the path within its answer; empty for the check as a whole. */
  readonly place: string;
  /** Empty for a check that passed or was skipped. */
  readonly rule: ProtocolRule | RejectionRule | '';
  readonly found: string;
  readonly expected: string;
  /** A correct example, as JSON or a header; may be empty. */
  readonly example: string;
  /** The duration of the call; null when the finding concerns no single call. */
  readonly milliseconds: number | null;
};

export type CheckFault = Pick<CheckVerdict, 'place' | 'found'> & {
  readonly rule: ProtocolRule | RejectionRule;
  /** Default: the texts of the rule. */
  readonly expected?: string | undefined;
  readonly example?: string;
  readonly milliseconds?: number | null;
  readonly isWarning?: boolean;
};

export type ProtocolReport = {
  readonly verdicts: readonly CheckVerdict[];
  /** The number of faults beyond those in `verdicts`. */
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

/** Per check: more faults of the same kind do not help an operator, and a catalogue can have a thousand. */
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
    fault(check, { place, rule, found, milliseconds = null, isWarning = false, ...texts }) {
      const known = faults.get(check) ?? new Map<string, CheckVerdict>();
      faults.set(check, known);
      const key = `${place} ${rule}`;
      if (known.has(key)) return;
      if (known.size >= MAX_FAULTS_OF_A_CHECK) {
        notListed += 1;
        return;
      }
      const ofRule = textOf(rule);
      const { expected = ofRule.expected, example = ofRule.example } = texts;
      const verdict = isWarning ? 'warning' : 'failed';
      known.set(key, { check, verdict, place, rule, found, expected, example, milliseconds });
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

/** The expectation of a rule, and an example that meets it. */
type ProtocolRuleText = { readonly expected: string; readonly example: string };

const QUOTED = '{ "property": "casa-1", "status": "quoted", "currency": "EUR", "total": "532.00" }';
const refusal = (reason: string) =>
  `{ "property": "casa-1", "status": "unavailable", "reason": "${reason}" }`;

/** The rules of the open protocol, except those for members of a listing or a calendar. */
export const PROTOCOL_RULES = {
  unreachable: {
    expected: 'a server that answers at the address',
    example: 'GET https://ops.casas.example/staywire/catalogue → 200',
  },
  timeout: {
    expected: 'an answer within 4 s for quotes, 30 s for a page or a batch of calendars',
    example: 'answer what is known; do not wait for slow sources',
  },
  slow: {
    expected: 'an answer well within the limit: a traveller waits for it',
    example: 'quotes in less than 1 s',
  },
  status: { expected: 'the status 200', example: 'HTTP/1.1 200 OK' },
  redirect: {
    expected: 'an answer at the address itself: redirects are not followed',
    example: 'give out the address to which you redirect',
  },
  token_refused: {
    expected: 'the token accepted',
    example: 'compare with the header Authorization: Bearer <token>',
  },
  rate_limited: {
    expected: 'no 429 within the calls of this check, which come one after the other',
    example: 'allow 8 calls at the same time',
  },
  server_error: { expected: 'an answer without a fault of the server', example: 'HTTP/1.1 200 OK' },
  content_type: { expected: 'JSON, declared as such', example: 'Content-Type: application/json' },
  charset: { expected: 'UTF-8', example: 'Content-Type: application/json; charset=utf-8' },
  compressed: {
    expected: 'an answer that is not compressed: none was asked for',
    example: 'no header Content-Encoding',
  },
  too_large: {
    expected:
      'at most 16 MiB for a page or a batch of calendars, 256 KiB for quotes, and no deeper than 32 levels',
    example: 'spread the catalogue over several pages',
  },
  not_json: {
    expected: 'a whole JSON document in UTF-8',
    example: '{ "properties": [], "next_page": null }',
  },
  not_http: { expected: 'an answer that follows HTTP', example: 'HTTP/1.1 200 OK' },
  open_to_strangers: {
    expected: '401 for a call without the token, or with another one',
    example: 'HTTP/1.1 401 Unauthorized',
  },
  other_refusal: { expected: '401', example: 'HTTP/1.1 401 Unauthorized' },
  page_shape: {
    expected: 'a list of at most 1,000 properties, and next_page as a text of 1 to 200 characters or null',
    example: '{ "properties": [ … ], "next_page": "2" }',
  },
  page_loop: {
    expected: 'a next_page that leads on: each page is read once',
    example: '"next_page": null on the last page',
  },
  too_many_pages: { expected: 'at most 100 pages', example: '1,000 listings on a page' },
  no_listings: {
    expected: 'at least one listing',
    example: '{ "properties": [ { "reference": "casa-1", … } ], "next_page": null }',
  },
  no_etag: {
    expected: 'an ETag, so that a catalogue that has not changed need not be sent again',
    example: 'ETag: "5f3c"',
  },
  etag_malformed: { expected: 'an ETag in quotes', example: 'ETag: "5f3c"' },
  etag_ignored: {
    expected: '304 for a request whose If-None-Match is the current ETag',
    example: 'HTTP/1.1 304 Not Modified',
  },
  not_modified_unasked: {
    expected: '304 only for a request with If-None-Match',
    example: 'HTTP/1.1 200 OK',
  },
  answer_shape: {
    expected: 'the list that the call is named after',
    example: '{ "calendars": [ … ] } or { "quotes": [ … ] }',
  },
  minimum_above_maximum: {
    expected: 'a maximum_stay that is not below the minimum_stay: otherwise no stay can arrive',
    example: '"minimum_stay": 3, "maximum_stay": 28',
  },
  outside_horizon: {
    expected: 'periods that hold at least one of the nights that were asked for',
    example: 'from 2027-08-01 on, for 540 nights',
  },
  nothing_available: {
    expected: 'free nights; a home without any is never offered',
    example: '{ "from": "2027-08-01", "to": "2027-08-10", "available": true }',
  },
  not_asked_for: {
    expected: 'answers for the properties that were asked for, and no others',
    example: 'leave out what you do not know',
  },
  free_stay_refused: {
    expected: 'a price: the calendar says that the stay is free and keeps all rules',
    example: QUOTED,
  },
  taken_stay_quoted: {
    expected: 'a refusal: the calendar says that a night of the stay is not available',
    example: refusal('booked'),
  },
  too_many_guests_quoted: {
    expected: 'a refusal: the listing takes fewer guests',
    example: refusal('too_many_guests'),
  },
  unknown_property_quoted: {
    expected: 'a refusal: the catalogue has no such property',
    example: '{ "property": "…", "status": "unavailable", "reason": "unknown_property" }',
  },
  other_reason: {
    expected: 'the reason that fits best: it decides for how long you are not asked again',
    example: refusal('unknown_property'),
  },
  quote_missing: { expected: 'an answer for each property that was asked for', example: QUOTED },
  quote_twice: { expected: 'one answer for each property', example: QUOTED },
  quote_unreadable: { expected: 'a quote that follows the schema', example: QUOTED },
  wrong_currency: { expected: 'the currency that was asked for', example: '"currency": "EUR"' },
  total_not_positive: { expected: 'a total above zero', example: '"total": "532.00"' },
  total_differs: {
    expected: 'the same total when the same is asked twice within a second',
    example: '"total": "532.00"',
  },
  batch_total_differs: {
    expected: 'the same total in a call for several properties as in a call for one',
    example: '"total": "532.00"',
  },
  total_far_from_calendar: {
    expected: 'a total that has to do with the indicative prices of its nights',
    example: 'four nights at "110.00" and a total of "532.00"',
  },
  unknown_member_refused: {
    expected: 'members of a request that you do not know ignored',
    example: '{ "properties": ["casa-1"], …, "a_later_member": true } → 200',
  },
  lines_do_not_add_up: {
    expected: 'lines that add up to the total to the last cent',
    example:
      '"total": "500.00", "lines": [{ "label": "4 nights", "amount": "440.00" }, { "label": "Cleaning", "amount": "60.00" }]',
  },
  lines_not_shown: {
    expected: 'lines with exact amounts, none above twenty times the total, and labels in a few plain words',
    example: '{ "label": "Cleaning", "amount": "60.00" }',
  },
  hold_not_an_instant: {
    expected: 'an instant in UTC, or null',
    example: '"held_until": "2027-07-01T12:30:00Z"',
  },
  hold_too_short: {
    expected: 'a hold that ends at least a minute from now, or null',
    example: '"held_until": null',
  },
  hold_implausible: {
    expected: 'a hold of minutes or hours, or null',
    example: '"held_until": null',
  },
  deposit_unreadable: {
    expected: 'an exact amount, of at most 100 times the total, and whether it is given back',
    example: '"deposit": { "amount": "200.00", "refundable": true }',
  },
  due_on_site_unreadable: { expected: 'an exact amount, or null', example: '"due_on_site": "12.00"' },
  bookings_shape: {
    expected: 'a list of at most 1,000 bookings, and next_page as a text of 1 to 200 characters or null',
    example: '{ "bookings": [ … ], "next_page": null }',
  },
  booking_unreadable: {
    expected: 'a booking with your own reference for it, and nothing about a guest in it',
    example:
      '{ "reference": "B-1", "quote": null, "status": "booked", "booked_at": "2027-03-01T12:30:00Z", "amount": "532.00", "currency": "EUR" }',
  },
  mostly_paid_elsewhere: {
    expected: 'at most half of the total to be paid besides it',
    example: 'put what everybody pays into "total"',
  },
} as const satisfies Record<string, ProtocolRuleText>;

export type ProtocolRule = keyof typeof PROTOCOL_RULES;

function textOf(rule: ProtocolRule | RejectionRule): ProtocolRuleText {
  const texts: Readonly<Record<string, ProtocolRuleText>> = PROTOCOL_RULES;
  return texts[rule] ?? { expected: REJECTION_RULES[rule as RejectionRule].remedy, example: '' };
}
