import { readRejections } from '../../sync/rejections-store.ts';
import type { CliTools, CommandResult } from '../command.ts';
import { counted } from '../counted.ts';
import { EXIT } from '../exit-codes.ts';
import { UsageFault } from '../faults.ts';
import { paragraph } from '../table.ts';
import { chosenBrands, openWorkspace, readWorkspaceNetwork, type WorkspaceOptions } from '../workspace.ts';

/** The nights that availability feeds of the brand, or of one of its homes, have lost are free: the owner knows that their bookings are gone. */
export async function confirmLosses(
  brand: string,
  home: string | undefined,
  options: WorkspaceOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const workspace = openWorkspace(tools, options);
  chosenBrands(readWorkspaceNetwork(tools, workspace, []), brand);
  const homes = await homesWithLosses(brand, home, workspace.settings, tools);
  const owner = await tools.openOwnerStore(workspace.settings);
  try {
    await owner.controls.confirmLosses(brand, home ?? '', tools.clock.now());
  } finally {
    await owner.close();
  }
  const whose = home === undefined ? `the feeds of ${brand}` : `the feeds of ${home}`;
  const which = homes.length === 0 ? '' : ` (${counted(homes.length, 'home')}: ${shownFew(homes)})`;
  const when = tools.isServing(workspace.settings)
    ? 'with the next reading, which begins now'
    : 'with the next reading';
  return {
    exit: EXIT.done,
    json: { brand, home: home ?? null, homes },
    text: paragraph(`Confirmed: the nights that ${whose} have lost${which} are free ${when}.`),
  };
}

/** As the last reading reports them. Unknown where there is no report in this folder, such as beside nodes that share a store. */
async function homesWithLosses(
  brand: string,
  home: string | undefined,
  settings: Parameters<CliTools['openDocuments']>[0],
  tools: CliTools,
): Promise<readonly string[]> {
  const documents = await tools.openDocuments(settings);
  try {
    const report = await readRejections(documents, brand);
    const reported = (report?.rejections ?? []).flatMap(({ rule, reference }) =>
      rule === 'feed_lost_nights' ? [reference] : [],
    );
    const homes = home === undefined ? reported : reported.filter((reference) => reference === home);
    if (report && homes.length === 0 && report.notListed === 0) {
      throw new UsageFault(
        [`No feed of ${home === undefined ? brand : `${home}, of ${brand},`} has lost its nights.`],
        reported.length > 0
          ? `these have: ${shownFew(reported)}`
          : 'look at what the last reading reports: staywire held-back',
      );
    }
    return homes;
  } finally {
    await documents.close();
  }
}

const MAX_SHOWN = 10;

function shownFew(references: readonly string[]): string {
  const more = references.length - MAX_SHOWN;
  return references.slice(0, MAX_SHOWN).join(', ') + (more > 0 ? `, … and ${more} more` : '');
}
