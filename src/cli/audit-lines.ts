import type { AssistantChange, ConsoleAction } from '../telemetry/audit/audit-record.ts';
import type { ChainedRecord } from '../telemetry/audit/chained-line.ts';
import type { LogFault } from '../telemetry/audit/verify-log.ts';

/** A record on one line, for people. */
export function recordLine(record: ChainedRecord): string {
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
    case 'thread_ended':
      return `thread ${record.thread} ended; its last records may be missing`;
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

/** Of one that is new, the ways are in the record and would be many words here. */
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

export function faultText(fault: LogFault): string {
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
