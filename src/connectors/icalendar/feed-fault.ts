/** What can be wrong with a feed. Any of them makes the whole feed unreadable: a night that was not understood may be taken. */
export type FeedRule =
  | 'too_large'
  | 'too_many_lines'
  | 'line_too_long'
  | 'too_many_events'
  | 'too_many_time_zones'
  | 'not_a_calendar'
  | 'not_closed'
  | 'wrong_nesting'
  | 'not_understood'
  | 'not_a_property'
  | 'recurrence'
  | 'missing_start'
  | 'not_a_time'
  | 'not_a_duration'
  | 'given_twice'
  | 'ends_before_start';

/** It is logged and shown to the operator, so the message repeats digits and the names of properties only. */
export type FeedFault = { readonly line: number; readonly rule: FeedRule; readonly message: string };
