import { shownText } from '../catalogue/rejections/rejected-value.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';

/** A fault that the person at the terminal can put right, with the next step. */
export class UsageFault extends Error {
  readonly faults: readonly string[];
  readonly next: string | null;
  /** The command line that does it, after `next`. */
  readonly command: string | null;
  /** For `--json`: what a program needs to put it right. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    faults: readonly string[],
    next: string | null = null,
    command: string | null = null,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(faults.join('\n'));
    this.name = 'UsageFault';
    this.faults = faults;
    this.next = next;
    this.command = command;
    this.details = details;
  }
}

/** The command ran, and the booking system or the service failed. */
export class SystemFault extends UsageFault {}

/** The person gave up. Nothing was written. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted; nothing was changed');
    this.name = 'Interrupted';
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'choose a folder in which you may write, or ask its owner',
  EPERM: 'choose a folder in which you may write, or ask its owner',
  EROFS: 'choose a folder in which you may write',
  ENOSPC: 'make room on the disk, and try again',
  EDQUOT: 'make room on the disk, and try again',
  ENOENT: 'look at the path',
  ENOTDIR: 'look at the path',
  EINUSE: 'wait until it has ended, and run this again',
  EISDIR: 'name a file, not a folder',
};

/** Adds a remedy to an error of the operating system; any other error keeps its own message. */
export function explainedFault(error: unknown): Pick<UsageFault, 'faults' | 'next'> {
  if (!(error instanceof Error)) return { faults: [String(error)], next: null };
  const code = 'code' in error ? String(error.code) : '';
  return { faults: [error.message], next: REMEDIES[code] ?? null };
}

const ADVICE: Readonly<Partial<Record<FailureKind, string>>> = {
  rejected: 'the credentials are wrong, or do not allow this: look them up again and run staywire connect',
  rate_limited:
    'wait, and run the command again; staywire serve and staywire sync --watch wait by themselves',
  overloaded: 'try again in a minute, or stop the service first',
  timeout: 'the server is too slow or does not answer; try again, or ask the operator',
  unreachable: 'look at the address, and whether this machine may reach it',
  server_error: 'the booking system has a fault; try again, or ask its vendor',
  garbled: 'the answer is not what its vendor documents: look at the address and the version',
  too_large:
    'the answer is larger than is read: ask the operator for smaller documents; where the message names the budget, raise `budget` in the network file',
};

/** What an owner can do about a booking system that fails in this way; null when no remedy is known. */
export function adviceFor(kind: FailureKind): string | null {
  return ADVICE[kind] ?? null;
}

const WIDTH = 80;
const CONTINUED = ' \\\n    ';

/** A `staywire` command line to paste: quoted where a shell needs it, and broken before options where it is long. */
export function shellCommand(words: readonly string[]): string {
  const parts: string[][] = [['staywire']];
  for (const word of words) {
    const last = parts.at(-1);
    if (word.startsWith('--') || !last) parts.push([shellWord(word)]);
    else last.push(shellWord(word));
  }
  const lines: string[] = [];
  for (const part of parts.map((each) => each.join(' '))) {
    const line = lines.at(-1);
    const isFull = line === undefined || line.length + part.length + CONTINUED.length > WIDTH;
    if (isFull) lines.push(part);
    else lines[lines.length - 1] = `${line} ${part}`;
  }
  return lines.join(CONTINUED);
}

/** An option to paste whose text an operator wrote: quoted, so that a shell runs nothing in it, and shown as in reports. */
export function shellOption(option: string, text: string, after = ''): string {
  return optionWords(option, shownText(text) + after)
    .map(shellWord)
    .join(' ');
}

/** A value that begins with a hyphen needs `=`: it would be read as another option. */
export function optionWords(option: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${option}=${value}`] : [option, value];
}

export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How to read the homes of a new brand. A running service reads the network file only at its start, and locks its store against `staywire sync`. */
export function nextStepFor(brand: string, isServing: boolean): string {
  return isServing ? 'restart the service' : shellCommand(['sync', brand]);
}
