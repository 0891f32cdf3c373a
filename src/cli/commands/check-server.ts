import { checkProtocol } from '../../connectors/check-protocol.ts';
import type { CheckVerdict } from '../../connectors/protocol-check/verdict.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { counted } from '../counted.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { verdictMark } from '../verdict.ts';

export type CheckServerOptions = { readonly url: string; readonly tokenVariable?: string };

/** This machine and its network may be asked: whoever checks a server before it joins is often the one who writes it. */
const ANYWHERE = ['0.0.0.0/0', '::/0'];

/** Puts a server of the open protocol through every rule, before it joins a network. Nothing is stored. */
export async function checkServer(
  { url, tokenVariable }: CheckServerOptions,
  { env, openClient, clock, signal, terminal }: CliTools,
): Promise<CommandResult> {
  const address = serverAddress(url);
  if (address.kind === 'invalid')
    throw new UsageFault(
      [`--url ${address.faults.join('; ')}.`],
      'give the base address, such as https://stays.example/protocol',
    );
  const token = tokenVariable === undefined ? null : (env[tokenVariable] ?? '');
  if (token === '')
    throw new UsageFault(
      [`${tokenVariable} is not set.`],
      'set the variable to the bearer token of the server',
    );
  const report = await checkProtocol({
    baseUrl: address.value,
    token,
    openClient: openClient(ANYWHERE),
    clock,
    signal,
    onCheck: (check) => terminal.note(`Checking ${check} …`),
  });
  const width = Math.max(...report.verdicts.map(({ check }) => check.length));
  const failed = report.verdicts.filter(({ verdict }) => verdict === 'failed').length;
  return {
    exit: failed > 0 ? EXIT.faults : EXIT.done,
    json: { url: address.value, verdicts: report.verdicts, not_listed: report.notListed },
    text: [
      ...report.verdicts.map((verdict) => verdictText(verdict, width, terminal)),
      ...(report.notListed > 0 ? [`… and ${report.notListed} more faults of the same checks`] : []),
      '',
      failed === 0
        ? 'This server can join a network.'
        : `${counted(failed, 'fault')} ${failed === 1 ? 'stands' : 'stand'} in the way.`,
    ].join('\n'),
  };
}

function verdictText(one: CheckVerdict, width: number, terminal: Pick<Terminal, 'styled'>): string {
  const { check, verdict, place, rule, found, expected, example, milliseconds } = one;
  const mark = verdictMark(verdict, terminal);
  const time = milliseconds === null ? '' : ` (${Math.round(milliseconds)} ms)`;
  if (verdict === 'passed' || verdict === 'skipped')
    return table([[mark, check.padEnd(width), found + time]]);
  const rows = [
    ['where', place],
    ['rule', rule],
    ['found', found + time],
    ['expected', expected],
    ['example', example],
  ].filter(([, text]) => text !== '');
  return [table([[mark, check]]), table(rows, '    ')].join('\n');
}
