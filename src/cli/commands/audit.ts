import { resolve } from 'node:path';
import { pauseFor } from '../../clock.ts';
import {
  type AuditFile,
  auditDirectory,
  auditFilesIn,
  readLinesFrom,
} from '../../telemetry/audit/audit-files.ts';
import type { AssistantChange, ChainedRecord, ConsoleAction } from '../../telemetry/audit/audit-record.ts';
import { type LogFault, type VerifiedLog, verifyLog } from '../../telemetry/audit/verify-log.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { counted, paragraph, table } from '../terminal.ts';
import { openSettings } from '../workspace.ts';

type LogOptions = { readonly data?: string; readonly dir?: string };

type VerifyAuditOptions = LogOptions & { readonly anchor?: readonly string[] };

type TailAuditOptions = LogOptions & {
  readonly lines?: string;
  readonly assistant?: string;
  readonly json?: boolean;
};

/** Longer than a service takes to finish a line. */
const REREAD_AFTER_MS = 250;
const LOOK_EVERY_MS = 500;
const DEFAULT_LINES = 20;
const MAX_LINES = 100_000;

/** Verifies the hash chain of the log: exit code 1 and the first fault where it is broken. */
export async function verifyAudit(options: VerifyAuditOptions, tools: CliTools): Promise<CommandResult> {
  const directory = folderOf(options, tools);
  const anchors = (options.anchor ?? []).map(anchorIn);
  const verified = await verifyLog({
    directory,
    anchors,
    pause: () => pauseFor(REREAD_AFTER_MS, tools.clock, tools.signal),
    signal: tools.signal,
  });
  const { fault, ...found } = verified;
  return {
    exit: fault ? EXIT.faults : EXIT.done,
    json: { intact: fault === null, fault, ...found },
    text: fault
      ? paragraph(`${tools.terminal.styled('bad', '✖')} ${faultText(fault)}`, '  ')
      : intactText(verified, anchors.length, tools),
  };
}

/** Prints the last records, one line each. */
export async function tailAudit(options: TailAuditOptions, tools: CliTools): Promise<CommandResult> {
  const directory = folderOf(options, tools);
  const { records, unreadable } = await lastRecords(directory, linesIn(options), filterIn(options));
  noteUnreadable(unreadable, tools);
  return {
    exit: EXIT.done,
    json: { records, unreadable },
    text: records.length === 0 ? 'There are no such records.' : records.map(recordLine).join('\n'),
  };
}

/** Prints the last records, then new ones until it is interrupted. */
export async function followAudit(options: TailAuditOptions, tools: CliTools): Promise<void> {
  const { clock, signal, terminal } = tools;
  const directory = folderOf(options, tools);
  const isWanted = filterIn(options);
  const show = (record: ChainedRecord) =>
    terminal.print(options.json ? JSON.stringify(record) : recordLine(record));
  const { records, unreadable, place } = await lastRecords(directory, linesIn(options), isWanted);
  noteUnreadable(unreadable, tools);
  records.forEach(show);
  let next = place;
  while (!signal.aborted) {
    await pauseFor(LOOK_EVERY_MS, clock, signal);
    next = await recordsSince(directory, next, (record) => {
      if (isWanted(record)) show(record);
    });
  }
}

function folderOf({ data, dir }: LogOptions, tools: CliTools): string {
  const directory = resolve(
    tools.directory,
    dir ?? auditDirectory(openSettings(tools, { data }).dataDirectory),
  );
  if (auditFilesIn(directory).length > 0) return directory;
  throw new UsageFault(
    [`There is no audit log in ${directory}.`],
    'name its folder with --dir, or the folder of the data with --data',
  );
}

function anchorIn(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new UsageFault(
    ['An anchor is a hash of 64 hexadecimal digits.'],
    'copy it from the line “file of the audit log ended” in the service’s log',
  );
}

function linesIn({ lines }: TailAuditOptions): number {
  const count = lines === undefined ? DEFAULT_LINES : Number(lines);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_LINES) return count;
  throw new UsageFault([`--lines is a whole number between 1 and ${MAX_LINES}.`]);
}

function filterIn({ assistant }: TailAuditOptions): RecordFilter {
  if (assistant === undefined) return ({ kind }) => kind !== 'anchor';
  return (record) => {
    if (record.kind === 'request') return record.who?.assistant === assistant;
    if (record.kind === 'refusals') return record.sums.some((sum) => sum.assistant === assistant);
    // These actions are about assistants; other console records may be about a brand of the same name.
    if (record.kind === 'console')
      return record.about === assistant && (record.action === 'suspended' || record.action === 'approved');
    return record.kind === 'registry' && record.changes.some((change) => change.assistant === assistant);
  };
}

function noteUnreadable(unreadable: number, { terminal }: CliTools): void {
  if (unreadable === 0) return;
  terminal.note(`${counted(unreadable, 'line')} could not be read: run staywire audit verify.`);
}

function intactText(log: VerifiedLog, anchors: number, { terminal }: CliTools): string {
  const { files, records, from, until, hash, lost, torn } = log;
  const known = anchors === 0 ? '' : `, and the hashes that you gave are in it`;
  return [
    `${terminal.styled('good', '✔')} The log holds together${known}.`,
    table(
      [
        ['records', `${records} in ${counted(files, 'file')}, ${from} to ${until}`],
        ['last hash', hash ?? ''],
        ...(lost > 0 ? [['not written', `${lost}, as the log says itself`]] : []),
        ...torn.map(({ file, bytes }) => ['torn by a crash', `${bytes} bytes at the end of ${file}`]),
      ],
      '  ',
    ),
    ...(anchors === 0
      ? [
          paragraph(
            'Keep the last hash elsewhere: only with such a copy is a log that was rewritten as a whole found out (--anchor).',
            '',
          ),
        ]
      : []),
  ].join('\n');
}

type RecordFilter = (record: ChainedRecord) => boolean;

type LogTail = {
  /** Oldest first. */
  readonly records: readonly ChainedRecord[];
  /** Lines that are not records, among those that were read. */
  readonly unreadable: number;
  /** The position of the next record; null where there is no log. */
  readonly place: LogPlace | null;
};

type LogPlace = { readonly file: AuditFile; readonly position: number };

/** The last records that pass the filter. Reads the files from the newest to the oldest, and stops when it has enough. */
async function lastRecords(directory: string, count: number, isWanted: RecordFilter): Promise<LogTail> {
  let records: ChainedRecord[] = [];
  let unreadable = 0;
  let place: LogPlace | null = null;
  for (const file of auditFilesIn(directory).toReversed()) {
    let found: ChainedRecord[] = [];
    const position = await readLinesFrom(file.path, 0, (record) => {
      if (!record) unreadable += 1;
      else if (isWanted(record)) found.push(record);
      // Cut rarely: to drop one record at a time would cost more.
      if (found.length > 2 * count) found = found.slice(-count);
    });
    place ??= { file, position };
    records = [...found, ...records].slice(-count);
    if (records.length >= count) break;
  }
  return { records, unreadable, place };
}

/** Reads records written since a position, also in newer files. Returns the next position. */
async function recordsSince(
  directory: string,
  place: LogPlace | null,
  onRecord: (record: ChainedRecord) => void,
): Promise<LogPlace | null> {
  const forward = (record: ChainedRecord | undefined) => {
    if (record) onRecord(record);
  };
  const files = auditFilesIn(directory).filter(({ number }) => !place || number >= place.file.number);
  let next = place;
  for (const file of files) {
    const start = next?.file.name === file.name ? next.position : 0;
    next = { file, position: await readLinesFrom(file.path, start, forward) };
  }
  return next;
}

/** A record on one line, for people. */
function recordLine(record: ChainedRecord): string {
  const at = record.at.replace('T', ' ').replace('Z', '');
  return `${at}  ${about(record)}`;
}

function about(record: ChainedRecord): string {
  switch (record.kind) {
    case 'request': {
      const { who, what, tools = [], status, outcome, request } = record;
      const caller = who ? `${who.assistant} (${who.way ?? 'refused'})` : 'stranger';
      return [caller, [what, ...tools].join(' '), `${status} ${outcome}`, request].join('  ');
    }
    case 'refusals':
      return record.sums
        .map(
          ({ requests, outcome, assistant }) =>
            `${requests} more refused: ${outcome} (${assistant ?? 'strangers'})`,
        )
        .join(', ');
    case 'started':
      return `service started: node ${record.node}, version ${record.version}`;
    case 'stopped':
      return 'service stopped';
    case 'registry':
      return record.start
        ? `registry at the start: ${record.changes.map(stateText).join(', ')}`
        : `registry: ${record.changes.map(changeText).join(', ')}`;
    case 'published_list':
      return `published list turned ${record.state}: ${record.list}`;
    case 'console':
      return `console: ${CONSOLE_WORDS[record.action]}${record.about === null ? '' : ` ${record.about}`}`;
    case 'lost':
      return `${record.records} records could not be written`;
    case 'pruned':
      return `deleted because of their age or size: ${record.files.map(({ file }) => file).join(', ')}`;
    case 'anchor':
      return `file begins: ${record.file}`;
  }
}

const CONSOLE_WORDS = {
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_refused: 'sign-in refused: wrong password',
  sign_in_limited: 'sign-in refused: too many tries',
  sign_in_impossible: 'sign-in refused: no password is set',
  form_refused: 'form from elsewhere refused',
  paused: 'paused the brand',
  resumed: 'resumed the brand',
  reading_requested: 'asked for a new reading of the brand',
  suspended: 'suspended the assistant',
  approved: 'approved the assistant',
  password_changed: 'password changed',
} as const satisfies Record<ConsoleAction, string>;

function stateText({ assistant, to, risks = [] }: AssistantChange): string {
  return [`${assistant} ${to}`, ...(risks.length > 0 ? [`(${risks.map(risky).join('; ')})`] : [])].join(' ');
}

/** Leaves out the ways of a new assistant, which would make the line long; the record has them. */
function changeText({ assistant, from, to, changed = [], ways, risks = [] }: AssistantChange): string {
  const details = [
    ...(changed.length > 0 ? [`${changed.join(', ')} changed`] : []),
    ...(from !== null && ways
      ? [...ways.added.map((way) => `+ ${way}`), ...ways.removed.map((way) => `- ${way}`)]
      : []),
    ...risks.map(risky),
  ];
  return [
    from === to ? assistant : `${assistant} ${from ?? 'not listed'} → ${to ?? 'not listed'}`,
    ...(details.length > 0 ? [`(${details.join('; ')})`] : []),
  ].join(' ');
}

function risky(risk: string): string {
  return `! ${risk}`;
}

function faultText(fault: LogFault): string {
  if (fault.kind === 'unknown_anchor') {
    return `The hash ${fault.anchor} is not in the log: the log was rewritten, its end was removed, or the record is too old.`;
  }
  const { file, line } = fault;
  switch (fault.kind) {
    case 'changed':
      return `${file}, line ${line}: it is not as it was written.`;
    case 'unfinished':
      return `${file}, line ${line}: the file ends in the middle of it. If the service was killed, its next start tells so in the log.`;
    case 'out_of_place':
      return `${file}, line ${line}: it does not follow the line before. Lines were removed, added or moved.`;
    case 'misplaced':
      return `${file}, line ${line}: it is about the log itself, and not what the service writes there. Somebody else has written it.`;
    case 'cut_off':
      return `${file}, line ${line}: the file ends before it, and the next file knows of more.`;
    case 'wrong_anchor':
      return `${file}, line ${line}: it does not continue the file before, or is not the beginning of this file.`;
    case 'missing_before':
      return `${file}, line ${line}: the file before it is gone, and was not deleted because of its age.`;
  }
}
