import type { CallerFacts } from '../../access/caller-facts.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/\d(?:\.\d)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/;
/** Of these the first counts, and of others all do, as one list: so does Node. */
const COUNT_ONCE = [
  'host',
  'user-agent',
  'referer',
  'from',
  'content-type',
  'content-length',
  'authorization',
];

export type RawRequest = Pick<CallerFacts, 'method' | 'target' | 'headers'> & {
  /** Names and values in turn, also of headers that are there twice. */
  readonly rawHeaders: readonly string[];
};

/** A request as it arrives: its line and its headers. What `curl -v` prints is understood too, where `> ` marks what was sent. */
export function readRawRequest(text: string): Reading<RawRequest> {
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const sent = all.filter((line) => /^>(?: |$)/.test(line)).map((line) => line.replace(/^> ?/, ''));
  const lines = sent.length > 0 ? sent : all;
  const begin = lines.findIndex((line) => line.trim() !== '');
  const [, method, target] = REQUEST_LINE.exec(lines[begin]?.trimEnd() ?? '') ?? [];
  if (method === undefined || target === undefined) {
    return invalid('does not begin with a line such as GET /ai/v1/auth HTTP/1.1');
  }
  const end = lines.findIndex((line, index) => index > begin && line.trim() === '');
  const headers = new Map<string, string>();
  const rawHeaders: string[] = [];
  for (const line of lines.slice(begin + 1, end < 0 ? undefined : end)) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return invalid(`has a line that is no header: ${line.slice(0, 40)}`);
    }
    rawHeaders.push(name, value.trim());
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (before === undefined) headers.set(key, value.trim());
    else if (!COUNT_ONCE.includes(key)) headers.set(key, `${before}, ${value.trim()}`);
  }
  return valid({ method, target, headers: Object.fromEntries(headers), rawHeaders });
}
