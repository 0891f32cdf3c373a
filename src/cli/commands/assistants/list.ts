import type { DocumentStatus } from '../../../access/published/followed-document.ts';
import { currentRegistry } from '../../../access/registry/change-registry.ts';
import { risksOf } from '../../../access/registry/recognition-ways.ts';
import type {
  AssistantEntry,
  LimitsInDocument,
  RegistryChange,
  WayInDocument,
  WellKnownAssistant,
} from '../../../access/registry/registry-file.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../command.ts';
import { shellCommand } from '../../shell-command.ts';
import type { Terminal } from '../../terminal.ts';
import { paragraph, table } from '../../text-layout.ts';
import {
  lastFetchText,
  limitsText,
  publishedData,
  publishedFor,
  type RegistryCommandOptions,
  wayText,
  withRegistry,
} from './registry.ts';

type ListedAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: AssistantEntry['status'];
  readonly recognisedBy: readonly WayInDocument[];
  readonly limits: LimitsInDocument;
  readonly history: readonly RegistryChange[];
};

/** The published document of each way of recognition, in the order of the ways. */
type WithDocuments = { readonly documents: readonly (DocumentStatus | undefined)[] };

/** Lists the registered assistants with their ways of recognition, and the well-known ones that could be approved by id. */
export async function listAssistants(
  options: RegistryCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  return withRegistry(tools, options, async (opened, settings) => {
    const { entries, text, registry } = await currentRegistry(opened);
    const { catalogue, where } = opened;
    const published = tools.publishedSoFar({ registry, settings });
    const listed = entries.map((entry, index) => {
      const ways = registry.assistants[index]?.recognisedBy ?? [];
      const documents = ways.map((way) => publishedFor(way, published));
      return { ...listedAssistant(entry, catalogue), documents };
    });
    const known = catalogue.filter(({ id }) => !entries.some((entry) => entry.id === id));
    return {
      exit: EXIT.done,
      json: {
        registry: where,
        assistants: listed.map(({ recognisedBy, documents, ...one }) => ({
          ...one,
          recognised_by: recognisedBy,
          risks: recognisedBy.flatMap(risksOf),
          published: publishedData(documents.filter((document) => document !== undefined)),
        })),
        known: known.map(({ id, name, about }) => ({ id, name, about, approve: approval(id) })),
      },
      text: [
        text === null ? `There is no registry in ${where} yet.` : `The registry in ${where}:`,
        ...(text !== null && listed.length === 0 ? ['  nobody is registered'] : []),
        ...listed.map((one) => `\n${listedText(one, tools.terminal)}`),
        ...(known.length > 0 ? ['\nKnown, and not registered:', knownText(known)] : []),
      ].join('\n'),
    };
  });
}

function listedAssistant(entry: AssistantEntry, catalogue: readonly WellKnownAssistant[]): ListedAssistant {
  const { id, status, limits = {}, history = [] } = entry;
  const known = catalogue.find((one) => one.id === id);
  return {
    id,
    // A valid registry leaves out the name only of assistants in the catalogue.
    name: entry.name ?? known?.name ?? id,
    status,
    recognisedBy: (entry.recognised_by as WayInDocument[] | undefined) ?? known?.recognisedBy ?? [],
    limits,
    history,
  };
}

function listedText(
  { id, name, status, recognisedBy, limits, history, documents }: ListedAssistant & WithDocuments,
  { styled }: Pick<Terminal, 'styled'>,
): string {
  const last = history.at(-1);
  const rows = [
    ...recognisedBy.map((way, index) => {
      const document = documents[index];
      const fetched = document ? ` (${lastFetchText(document)})` : '';
      return [index === 0 ? 'known by' : 'or by', `${wayText(way)}${fetched}`];
    }),
    ...recognisedBy.flatMap(risksOf).map((risk) => ['!', risk]),
    ['limits', limitsText(limits)],
    ...(last
      ? [['last change', `${last.change} ${last.at}${last.note === undefined ? '' : `: ${last.note}`}`]]
      : []),
  ];
  const state = styled(status === 'approved' ? 'good' : 'bad', status);
  return `${styled('strong', id)}  ${state}  ${name}\n${table(rows, '  ')}`;
}

function knownText(known: readonly WellKnownAssistant[]): string {
  return known
    .map(({ id, name, about }) => `  ${paragraph(`${name}. ${about}`, '  ')}\n  → ${approval(id)}`)
    .join('\n');
}

function approval(id: string): string {
  return shellCommand(['assistants', 'approve', id]);
}
