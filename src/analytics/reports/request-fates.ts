import type { NamedCell } from './report.ts';

/** What became of a request, by the error of its answer or the cause for which its caller was refused; empty for neither. */
export type RequestFate =
  | 'answered'
  | 'refused'
  | 'mistaken'
  | 'over_limit'
  | 'turned_away'
  | 'left'
  | 'failed';

const FATES: Readonly<Record<string, RequestFate>> = {
  '': 'answered',
  // The ordinary step of a search: it asks for the next field.
  incomplete_payload: 'answered',
  invalid_value: 'refused',
  prerequisite_missing: 'refused',
  refine_not_available: 'refused',
  // The owner has paused a brand, or a start has not read it yet: nobody has to act on it.
  nothing_on_offer: 'refused',
  session_required: 'mistaken',
  // What the traveller wants was not refused: the assistant wrote a name that no field has.
  unknown_field: 'mistaken',
  session_not_found: 'mistaken',
  session_expired: 'mistaken',
  unknown_source: 'mistaken',
  invalid_request: 'mistaken',
  unsupported_media_type: 'mistaken',
  result_not_ready: 'mistaken',
  invalid_idempotency_key: 'mistaken',
  idempotency_key_reused: 'mistaken',
  unsupported_version: 'mistaken',
  not_found: 'mistaken',
  method_not_allowed: 'mistaken',
  rate_limited: 'over_limit',
  too_many_sessions: 'over_limit',
  session_used_up: 'over_limit',
  access_denied: 'turned_away',
  unknown_caller: 'turned_away',
  suspended: 'turned_away',
  browser: 'turned_away',
  other_host: 'turned_away',
  unknown_address: 'turned_away',
  invalid_signature: 'turned_away',
  replayed_signature: 'turned_away',
  abandoned: 'left',
};

const FATE_WORDS: Readonly<Record<RequestFate, string>> = {
  answered: 'answered',
  refused: 'refused',
  mistaken: 'mistake of the caller',
  over_limit: 'over a limit',
  turned_away: 'caller turned away',
  left: 'caller left',
  failed: 'error',
};

/** Whatever is not known is an error, so that none is overlooked. */
export function fateOf(reason: string): RequestFate {
  return Object.hasOwn(FATES, reason) ? (FATES[reason] ?? 'failed') : 'failed';
}

export function fateCell(reason: string): NamedCell {
  const fate = fateOf(reason);
  return { id: fate, text: FATE_WORDS[fate] };
}
