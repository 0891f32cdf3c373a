import { resolve } from 'node:path';
import { auditDirectory, auditFilesIn, scanFile } from '../../telemetry/audit/audit-files.ts';
import type { ChainedRecord } from '../../telemetry/audit/audit-record.ts';
import { type LogFault, type VerifiedLog, verifyLog } from '../../telemetry/audit/verify-log.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { counted, paragraph, table } from '../terminal.ts';
import { openSettings } from '../workspace.ts';

type LogOptions = { readonly data?: string; readonly dir?: string };
type VerifyAuditOptions = LogOptions & { readonly anchor?: readonly string[] };
type TailAuditOptions = LogOptions & { readonly lines?: string; readonly assistant?: string };

const DEFAULT_LINES = 20;
const MAX_LINES = 100_000;

/** Verifies the hash chain of the log: exit code 1 and the first fault where it is broken. */
export async function verifyAudit(options: VerifyAuditOptions, tools: CliTools): Promise<CommandResult> {
  const anchors = (options.anchor ?? []).map(anchorIn);
  const directory = folderOf(options, tools);
  const verified = await verifyLog({ directory, anchors, signal: tools.signal });
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
  const [count, isWanted] = [linesIn(options), filterIn(options)];
  let records: ChainedRecord[] = [];
  let faulty = 0;
  for (const file of auditFilesIn(folderOf(options, tools)).toReversed()) {
    const found: ChainedRecord[] = [];
    const { fault } = await scanFile(file, null, (record) => {
      if (isWanted(record)) found.push(record);
      // Cut rarely: to drop one record at a time would cost more.
      if (found.length > 2 * count) found.splice(0, count);
    });
    if (fault) faulty += 1;
    records = [...found, ...records].slice(-count);
    if (records.length >= count) break;
  }
  if (faulty > 0)
    tools.terminal.note(`${counted(faulty, 'file')} could not be read whole: run staywire audit verify.`);
  return {
    exit: EXIT.done,
    json: { records },
    text: records.length === 0 ? 'There are no such records.' : records.map(recordLine).join('\n'),
  };
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

function filterIn({ assistant }: TailAuditOptions): (record: ChainedRecord) => boolean {
  if (assistant === undefined) return ({ kind }) => kind !== 'anchor';
  return (record) => {
    if (record.kind === 'request') return record.who?.assistant === assistant;
    if (record.kind === 'refusals') return record.sums.some((sum) => sum.assistant === assistant);
    // Other actions may be about a brand of the same name.
    if (record.kind === 'console')
      return record.about === assistant && (record.action === 'suspended' || record.action === 'approved');
    return record.kind === 'registry' && record.changes.some((change) => change.assistant === assistant);
  };
}

function intactText(log: VerifiedLog, anchors: number, { terminal }: CliTools): string {
  const { files, records, from, until, hash, lost, torn } = log;
  const known = anchors === 0 ? '' : `, and the hashes that you gave are in it`;
  const rows = [
    ['records', `${records} in ${counted(files, 'file')}, ${from} to ${until}`],
    ['last hash', hash ?? ''],
    ...(lost > 0 ? [['not written', `${lost}, as the log says itself`]] : []),
    ...torn.map(({ file, bytes }) => ['unfinished', `${bytes} bytes at the end of ${file}`]),
  ];
  const advice =
    'Keep the last hash elsewhere: only with such a copy is a log that was rewritten as a whole found out (--anchor).';
  return [
    `${terminal.styled('good', '✔')} The log holds together${known}.`,
    table(rows, '  '),
    ...(anchors === 0 ? [paragraph(advice, '')] : []),
  ].join('\n');
}

/** A record on one line, for people. */
function recordLine({ prev: _, seq: _seq, hash: _hash, at, ...entry }: ChainedRecord): string {
  const time = at.replace('T', ' ').replace('Z', '');
  if (entry.kind === 'request') {
    const { who, what, tools = [], status, outcome, request } = entry;
    const caller = who ? `${who.assistant} (${who.way ?? 'refused'})` : 'stranger';
    return [time, caller, [what, ...tools].join(' '), `${status} ${outcome}`, request].join('  ');
  }
  const { kind, ...members } = entry;
  const details = Object.entries(members).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [time, kind, ...details].join('  ');
}

const FAULT_TEXTS = {
  changed: 'it is not as it was written.',
  unfinished: 'the file ends in the middle of it, and the next file does not say that a crash has torn it.',
  out_of_place: 'it does not follow the line before. Lines were removed, added or moved.',
  missing_before: 'the file before it is gone, and was not deleted because of its age or size.',
} as const;

function faultText(fault: LogFault): string {
  return fault.kind === 'unknown_anchor'
    ? `The hash ${fault.anchor} is not in the log: the log was rewritten, its end was removed, or the record is too old.`
    : `${fault.file}, line ${fault.line}: ${FAULT_TEXTS[fault.kind]}`;
}
