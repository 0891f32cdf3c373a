import { checkProtocol } from '../../connectors/protocol-check/check-protocol.ts';
import type { CheckVerdict } from '../../connectors/protocol-check/verdict.ts';
import { serverAddress } from '../../parsing/web-address.ts';
import {
  type BrandCheck,
  checkBrand,
  createOpenPage,
  hasFailed,
  verdictMark,
  verdictTable,
} from '../check-brand.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { openDocumentsFor } from '../connect-trial.ts';
import { UsageFault } from '../faults.ts';
import { counted, type Terminal, table } from '../terminal.ts';
import {
  assertCanSign,
  chosenBrands,
  onlyThese,
  openWorkspace,
  readWorkspaceNetwork,
  type WorkspaceOptions,
} from '../workspace.ts';
import { rejectionList, rejectionsJson } from './rejections.ts';

/** Checks each brand for what a search needs: credentials, listings, a calendar, a price and the link, with their times. */
export async function checkNetwork(
  brand: string | undefined,
  options: WorkspaceOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const workspace = openWorkspace(tools, options);
  assertCanSign(workspace.settings);
  const network = readWorkspaceNetwork(tools, workspace, brand === undefined ? undefined : [brand]);
  const brands = chosenBrands(network, brand);
  await using documents = await openDocumentsFor(tools, workspace.settings);
  const intake = tools.createIntake(network.network);
  const systems = tools.connectNetwork({
    ...onlyThese(network, brands),
    store: documents,
    intake,
    settings: workspace.settings,
  });
  const openPage = createOpenPage(tools.openClient(workspace.settings.operatorNetworks));
  const checked: (BrandCheck & { readonly brand: string })[] = [];
  try {
    for (const [id, system] of systems) {
      tools.terminal.note(`Checking ${id} …`);
      const check = await checkBrand({
        system,
        network: network.network,
        openPage,
        clock: tools.clock,
        signal: tools.signal,
      });
      tools.signal.throwIfAborted();
      checked.push({ brand: id, ...check });
    }
  } finally {
    for (const system of systems.values()) await system.close();
    await intake.close();
  }
  return {
    exit: checked.some(({ verdicts }) => hasFailed(verdicts)) ? EXIT.faults : EXIT.done,
    json: {
      brands: checked.map(({ brand: id, verdicts, rejections }) => ({
        brand: id,
        checks: verdicts,
        ...rejectionsJson(rejections),
      })),
    },
    text: checked
      .map(({ brand: id, verdicts, rejections }) =>
        [
          tools.terminal.styled('strong', id),
          verdictTable(verdicts, tools.terminal),
          ...rejectionList(rejections),
        ].join('\n'),
      )
      .join('\n\n'),
  };
}

type CheckServerOptions = { readonly url: string; readonly tokenVariable?: string };

/** Private addresses are allowed too: a developer often checks a server on the own machine before it joins. */
const ANYWHERE = ['0.0.0.0/0', '::/0'];

/** Checks a server of the open protocol against every rule before it joins a network. Stores nothing. */
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
  const { check, verdict, place, rule, found, expected, milliseconds } = one;
  const mark = verdictMark(verdict, terminal);
  const time = milliseconds === null ? '' : ` (${Math.round(milliseconds)} ms)`;
  if (verdict === 'passed' || verdict === 'skipped')
    return table([[mark, check.padEnd(width), found + time]]);
  const rows = [
    ['where', place],
    ['rule', rule],
    ['found', found + time],
    ['expected', expected],
  ].filter(([, text]) => text !== '');
  return [table([[mark, check]]), table(rows, '    ')].join('\n');
}
