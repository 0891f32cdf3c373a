import { type Rejection, rejectionsCsv } from '../../catalogue/rejections/rejection.ts';
import { REJECTION_RULES } from '../../catalogue/rejections/rejection-rules.ts';
import { numberOfUnmapped } from '../../connectors/shared/listings/amenities.ts';
import { readRejections, type StoredRejections } from '../../sync/brand-documents.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { nextStepFor } from '../faults.ts';
import { counted, paragraph, type Terminal, table } from '../terminal.ts';
import { chosenBrands, openWorkspace, readWorkspaceNetwork, type WorkspaceOptions } from '../workspace.ts';

type RejectionOptions = WorkspaceOptions & { readonly csv?: boolean };

/** Lists what the last reading of each brand rejected or repaired: place, rule, value and remedy. */
export async function rejections(
  brand: string | undefined,
  { csv = false, ...options }: RejectionOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const workspace = openWorkspace(tools, options);
  const brands = chosenBrands(readWorkspaceNetwork(tools, workspace, []), brand);
  const documents = await tools.openDocuments(workspace.settings);
  const isServing = tools.isServing(workspace.settings);
  try {
    const reports = await Promise.all(
      brands.map(async (id) => ({ brand: id, report: (await readRejections(documents, id)) ?? null })),
    );
    return {
      exit: EXIT.done,
      json: { brands: reports.map(({ brand: id, report }) => ({ brand: id, ...rejectionsJson(report) })) },
      text: csv
        ? rejectionsCsv(
            reports.map(({ brand: id, report }) => ({ brand: id, rejections: [], ...report })),
          ).trimEnd()
        : reports
            .map(({ brand: id, report }) => rejectionsText(id, report, tools.terminal, isServing))
            .join('\n\n'),
    };
  } finally {
    await documents.close();
  }
}

const STARTED_WITH_IT = 'the service does it, if it was started with this brand';

/** The report as data, for every command that prints it. */
export function rejectionsJson(report: StoredRejections | null) {
  if (!report) return { read_at: null, held_back: [], not_listed: 0, counts: {}, unmapped_amenities: [] };
  return {
    read_at: new Date(report.readAt).toISOString(),
    admitted: report.admitted,
    held_back: report.rejections.map(({ reference, field, rule, value, reason, repaired = false }) => ({
      reference,
      place: field === '' ? 'listing' : field,
      rule,
      value: value ?? null,
      reason,
      remedy: REJECTION_RULES[rule].remedy,
      repaired,
    })),
    not_listed: report.notListed,
    counts: report.counts,
    unmapped_amenities: report.unmappedAmenities,
  };
}

export function rejectionsText(
  brand: string,
  report: StoredRejections | null,
  { styled }: Pick<Terminal, 'styled'>,
  isServing = false,
): string {
  const title = styled('strong', brand);
  if (!report)
    return `${title}  was not read yet: ${isServing ? STARTED_WITH_IT : nextStepFor(brand, false)}`;
  const repaired = report.rejections.filter((one) => one.repaired).length;
  const refused = report.rejections.length - repaired + report.notListed;
  const readAt = new Date(report.readAt).toISOString().slice(0, 16).replace('T', ' ');
  const summary = `${counted(report.admitted, 'listing')}, ${refused} held back, ${counted(repaired, 'part')} left out (${readAt} UTC)`;
  return [table([[title, summary]]), ...rejectionList(report)].join('\n');
}

/** The report as lines below a summary; none when nothing was rejected. */
export function rejectionList(report: StoredRejections | null): readonly string[] {
  if (!report) return [];
  return [
    ...sectionOf(
      'Held back: not on offer',
      report.rejections.filter(({ repaired }) => !repaired),
    ),
    ...(report.notListed > 0 ? [`  … and ${report.notListed} more`] : []),
    ...sectionOf(
      'Left out: on offer without it',
      report.rejections.filter(({ repaired }) => repaired),
    ),
    ...amenitiesOf(report),
  ];
}

/** Groups the rejections by rule, because each rule has one remedy. */
function sectionOf(title: string, all: readonly Rejection[]): readonly string[] {
  if (all.length === 0) return [];
  const byRule = [...Map.groupBy(all, ({ rule }) => rule)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return [
    '',
    title,
    ...byRule.flatMap(([rule, some]) => [
      `  ${paragraph(`${rule} (${some.length}): ${REJECTION_RULES[rule].means}`, '    ')}`,
      table(
        some
          .slice(0, MAX_SHOWN_OF_A_RULE)
          .map(({ reference, field, reason, value }) => [
            reference,
            field === '' ? 'listing' : field,
            value === undefined || value === '' ? reason : `${reason}: ${value}`,
          ]),
        '    ',
      ),
      ...(some.length > MAX_SHOWN_OF_A_RULE
        ? [`    … and ${some.length - MAX_SHOWN_OF_A_RULE} more; --json and --csv list them all`]
        : []),
      table([['→', REJECTION_RULES[rule].remedy]], '    '),
    ]),
  ];
}

const MAX_SHOWN_OF_A_RULE = 10;

function amenitiesOf({ unmappedAmenities }: StoredRejections): readonly string[] {
  if (unmappedAmenities.length === 0) return [];
  const shown = unmappedAmenities
    .slice(0, MAX_SHOWN_OF_A_RULE)
    .map(({ amenity, listings }) => `${amenity} (${listings})`);
  const more = unmappedAmenities.length - shown.length;
  return [
    '',
    `Amenities without a word in the vocabulary (${numberOfUnmapped(unmappedAmenities)}), not shown:`,
    table([[shown.join(', ') + (more > 0 ? `, … and ${more} more` : '')]], '  '),
  ];
}
