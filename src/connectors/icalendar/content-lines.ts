import { invalid, type Reading, valid } from '../../parsing/reading.ts';

/** The faults of a feed. Each makes the whole feed unreadable, because an unreadable night may be taken. */
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

/** The message is logged and shown to the operator, so it repeats only digits and property names. */
export type FeedFault = { readonly line: number; readonly rule: FeedRule; readonly message: string };

/** One property of a feed, unfolded. Its bytes are decoded one by one, so letters beyond ASCII come out wrong. */
export type ContentLine = {
  /** The number of its first line in the file, from 1. */
  readonly number: number;
  /** In capitals. */
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
};

export const MAX_FEED_BYTES = 1024 * 1024;
const MAX_FEED_LINES = 100_000;
const MAX_FEED_LINE_LENGTH = 64 * 1024;

const NAME = /^[A-Za-z0-9-]+(?=[;:])/;

/**
 * Reads the properties with the given names, in order. Skips all others without reading them, because they hold names and words of
 * guests.
 */
export function readContentLines(
  feed: Uint8Array,
  names: ReadonlySet<string>,
): Reading<readonly ContentLine[], FeedFault> {
  if (feed.byteLength > MAX_FEED_BYTES) {
    return invalid({
      line: 1,
      rule: 'too_large',
      message: `the feed is longer than ${MAX_FEED_BYTES} bytes`,
    });
  }
  const lines: ContentLine[] = [];
  const faults: FeedFault[] = [];
  // One character per byte: the properties read here are ASCII in every encoding that feeds use.
  const text = Buffer.from(feed.buffer, feed.byteOffset, feed.byteLength).toString('latin1');
  const unfolding = unfold(text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text);
  for (const unfolded of unfolding) {
    if (unfolded.kind === 'fault') return invalid(unfolded.fault);
    const name = NAME.exec(unfolded.text)?.[0].toUpperCase();
    if (name === undefined || !names.has(name)) continue;
    const parts = partsOf(unfolded.text.slice(name.length));
    if (parts) lines.push({ number: unfolded.number, name, ...parts });
    else faults.push(unclosedQuote(unfolded.number, name));
  }
  return faults.length > 0 ? invalid(...faults) : valid(lines);
}

type Unfolded =
  | { readonly kind: 'line'; readonly number: number; readonly text: string }
  | { readonly kind: 'fault'; readonly fault: FeedFault };

/** Joins folded lines: a line that begins with a blank or a tab continues the line before. */
function* unfold(text: string): Generator<Unfolded> {
  let pieces: string[] = [];
  let [length, first, number] = [0, 1, 0];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end);
    at = end + 1;
    number += 1;
    if (number > MAX_FEED_LINES) {
      const message = `the feed has more than ${MAX_FEED_LINES} lines`;
      yield { kind: 'fault', fault: { line: number, rule: 'too_many_lines', message } };
      return;
    }
    if (line.startsWith(' ') || line.startsWith('\t')) {
      pieces.push(line.slice(1));
      length += line.length - 1;
    } else {
      if (pieces.length > 0) yield { kind: 'line', number: first, text: pieces.join('') };
      [pieces, length, first] = [[line], line.length, number];
    }
    if (length > MAX_FEED_LINE_LENGTH) {
      const message = `the line, unfolded, is longer than ${MAX_FEED_LINE_LENGTH} bytes`;
      yield { kind: 'fault', fault: { line: first, rule: 'line_too_long', message } };
      return;
    }
  }
  if (pieces.length > 0) yield { kind: 'line', number: first, text: pieces.join('') };
}

/** Splits `;TZID="Europe/Lisbon":20270710` into parameters and value; undefined when a quote is not closed. */
function partsOf(text: string): Pick<ContentLine, 'parameters' | 'value'> | undefined {
  const parameters = new Map<string, string>();
  let at = 0;
  while (text[at] === ';') {
    const end = endOfParameter(text, at + 1);
    if (end === undefined) return undefined;
    const [name = '', ...rest] = text.slice(at + 1, end).split('=');
    parameters.set(name.toUpperCase(), rest.join('=').replaceAll('"', ''));
    at = end;
  }
  return { parameters, value: text.slice(at + 1).trim() };
}

/** The position of the next semicolon or colon outside quotes. */
function endOfParameter(text: string, start: number): number | undefined {
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === ':' || sign === ';')) return at;
  }
  return undefined;
}

function unclosedQuote(line: number, name: string): FeedFault {
  return { line, rule: 'not_a_property', message: `${name} has no value, or a quote that is not closed` };
}
