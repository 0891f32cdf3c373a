import type {
  AssistantEntry,
  RegistryChange,
  WayInDocument,
} from '../../../access/registry/registry-file.ts';
import type { WellKnownAssistant } from '../../../access/registry/well-known-assistant.ts';
import type { CliTools, CommandResult } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import {
  currentRegistry,
  type RegistryCommandOptions,
  withRegistry,
} from '../../registry/change-registry.ts';
import { wayText } from '../../registry/way-text.ts';
import { shellCommand } from '../../shell-command.ts';
import { paragraph, table } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';

type ListedAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: AssistantEntry['status'];
  readonly recognisedBy: readonly WayInDocument[];
  readonly limits: NonNullable<AssistantEntry['limits']>;
  readonly history: readonly RegistryChange[];
};

const LIMITS = {
  requests: 'requests in a window',
  sessions: 'open sessions',
  megabytes: 'megabytes kept',
  searches: 'searches at a time',
} as const satisfies Record<keyof ListedAssistant['limits'], string>;

/** Who is registered and how each is recognised, and who else could be approved by name. */
export async function listAssistants(
  options: RegistryCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  return withRegistry(tools, options, async (opened) => {
    const { entries, text } = await currentRegistry(opened);
    const { catalogue, where } = opened;
    const listed = entries.map((entry) => listedAssistant(entry, catalogue));
    const known = catalogue.filter(({ id }) => !entries.some((entry) => entry.id === id));
    return {
      exit: EXIT.done,
      json: {
        registry: where,
        assistants: listed.map(({ recognisedBy, ...one }) => ({ ...one, recognised_by: recognisedBy })),
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
    // The registry was read without faults: what is missing here is in the catalogue.
    name: entry.name ?? known?.name ?? id,
    status,
    recognisedBy: (entry.recognised_by as WayInDocument[] | undefined) ?? known?.recognisedBy ?? [],
    limits,
    history,
  };
}

function listedText(
  { id, name, status, recognisedBy, limits, history }: ListedAssistant,
  { styled }: Pick<Terminal, 'styled'>,
): string {
  const limited = Object.entries(limits).map(
    ([member, value]) => `${value} ${LIMITS[member as keyof typeof LIMITS]}`,
  );
  const last = history.at(-1);
  const rows = [
    ...recognisedBy.map((way, index) => [index === 0 ? 'known by' : 'or by', wayText(way)]),
    ['limits', limited.length > 0 ? limited.join(', ') : 'those of the settings'],
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
