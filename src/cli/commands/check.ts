import { type BrandCheck, checkBrand } from '../check-brand.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOpenPage } from '../open-page.ts';
import { openDocumentsFor } from '../trial-documents.ts';
import { hasFailed, verdictTable } from '../verdict.ts';
import {
  assertCanSign,
  chosenBrands,
  onlyThese,
  openWorkspace,
  readWorkspaceNetwork,
  type WorkspaceOptions,
} from '../workspace.ts';
import { rejectionList, rejectionsJson } from './rejections.ts';

/** Tries what a search needs of each brand: credentials, listings, a calendar, a price, the link, and how long they take. */
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
