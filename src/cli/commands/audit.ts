import { resolve } from 'node:path';
import { pauseFor } from '../../clock.ts';
import { type AuditFile, auditDirectory, auditFilesIn } from '../../telemetry/audit/audit-files.ts';
import type { ChainedRecord } from '../../telemetry/audit/chained-line.ts';
import { readLinesFrom } from '../../telemetry/audit/scan-file.ts';
import { type VerifiedLog, verifyLog } from '../../telemetry/audit/verify-log.ts';
import { faultText, recordLine } from '../audit-lines.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { counted } from '../counted.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { paragraph, table } from '../table.ts';
import { openSettings } from '../workspace.ts';

type LogOptions = { readonly data?: string; readonly dir?: string };

export type VerifyAuditOptions = LogOptions & { readonly anchor?: readonly string[] };

export type TailAuditOptions = LogOptions & {
  readonly lines?: string;
  readonly assistant?: string;
  readonly json?: boolean;
};

/** Longer than a service takes to write what it has begun. */
const REREAD_AFTER_MS = 250;
const LOOK_EVERY_MS = 500;
const DEFAULT_LINES = 20;
const MAX_LINES = 100_000;

/** Whether the log is as it was written: exit code 1 and the first fault where it is not. */
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

/** The last records, on a line each. */
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

/** The same, and then those that come, until it is interrupted. */
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
    // A brand may have the same name.
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
  /** Where the next record will be; null where there is no log. */
  readonly place: LogPlace | null;
};

type LogPlace = { readonly file: AuditFile; readonly position: number };

/** The last records that are wanted. Files are read from the newest to the oldest, and only as many as it takes. */
async function lastRecords(directory: string, count: number, isWanted: RecordFilter): Promise<LogTail> {
  let records: ChainedRecord[] = [];
  let unreadable = 0;
  let place: LogPlace | null = null;
  for (const file of auditFilesIn(directory).toReversed()) {
    let found: ChainedRecord[] = [];
    const position = await readLinesFrom(file.path, 0, (record) => {
      if (!record) unreadable += 1;
      else if (isWanted(record)) found.push(record);
      // Now and then, because to shift each time costs more.
      if (found.length > 2 * count) found = found.slice(-count);
    });
    place ??= { file, position };
    records = [...found, ...records].slice(-count);
    if (records.length >= count) break;
  }
  return { records, unreadable, place };
}

/** What was written since, also into files that came after. Returns where to go on. */
async function recordsSince(
  directory: string,
  place: LogPlace | null,
  onRecord: (record: ChainedRecord) => void,
): Promise<LogPlace | null> {
  const hand = (record: ChainedRecord | undefined) => {
    if (record) onRecord(record);
  };
  const files = auditFilesIn(directory).filter(({ number }) => !place || number >= place.file.number);
  let next = place;
  for (const file of files) {
    const start = next?.file.name === file.name ? next.position : 0;
    next = { file, position: await readLinesFrom(file.path, start, hand) };
  }
  return next;
}
