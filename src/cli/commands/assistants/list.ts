import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DocumentStatus } from '../../../access/published/published-documents.ts';
import { noneApprovedWarning } from '../../../access/registry/assistant-registry.ts';
import {
  changeRegistry,
  currentRegistry,
  entriesIn,
  findRegistry,
  SECONDS_UNTIL_IN_FORCE,
  withChange,
} from '../../../access/registry/change-registry.ts';
import { risksOf } from '../../../access/registry/recognition-ways.ts';
import type {
  AssistantEntry,
  LimitsInDocument,
  RegistryChange,
  WayInDocument,
  WellKnownAssistant,
} from '../../../access/registry/registry-file.ts';
import { type CliTools, type CommandResult, EXIT } from '../../command.ts';
import { shellCommand, UsageFault } from '../../faults.ts';
import { counted, paragraph, type Terminal, table, warningLines } from '../../terminal.ts';
import {
  lastFetchText,
  limitsText,
  notedChange,
  publishedData,
  publishedFor,
  type RegistryCommandOptions,
  wayText,
  whenInForce,
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

export type StoreRegistryOptions = RegistryCommandOptions & {
  readonly note?: string;
  readonly force?: boolean;
};

/** Prints the registry as it is, to read it or to edit and store it again. */
export async function showRegistry(options: RegistryCommandOptions, tools: CliTools): Promise<CommandResult> {
  return withRegistry(tools, options, async (opened) => {
    const { where } = opened;
    const { text, version } = await findRegistry(opened);
    if (text === null) {
      throw new UsageFault(
        [`There is no registry in ${where} yet.`],
        'staywire assistants approve writes it with the first assistant',
      );
    }
    tools.terminal.note(`The registry in ${where}.`);
    return {
      exit: EXIT.done,
      json: { registry: where, version, text },
      text: text.trimEnd(),
    };
  });
}

/** Checks a whole registry as a start does, and replaces the one that is in force. */
export async function storeRegistry(
  file: string,
  options: StoreRegistryOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const text = readFileSync(resolve(tools.directory, file), 'utf8').replace(/^\uFEFF/, '');
  return withRegistry(tools, options, async (opened) => {
    const reading = opened.read(text, file);
    if (reading.kind === 'invalid') {
      throw new UsageFault(reading.faults, `mend ${file} (docs/assistant-registry.md); nothing was stored`);
    }
    await changeRegistry(opened, ({ entries: before }) => {
      if (!options.force) assertNothingIsUndone(before, entriesIn(text));
      return withHistory(text, before, (change) => notedChange(tools, change, options.note));
    });
    const ids = reading.value.assistants.map(({ id }) => id);
    const nobody = noneApprovedWarning(reading.value, opened.where);
    const warnings = nobody === null ? [] : [nobody];
    return {
      exit: EXIT.done,
      json: {
        registry: opened.where,
        assistants: ids,
        in_force_within_seconds: SECONDS_UNTIL_IN_FORCE,
        warnings,
      },
      text: [
        `Stored the registry of ${counted(ids.length, 'assistant')}.`,
        paragraph(whenInForce(opened)),
        ...warningLines(warnings, tools.terminal),
      ].join('\n'),
    };
  });
}

/** Refuses a file that lacks a later change, such as a suspension since the file was printed. */
function assertNothingIsUndone(before: readonly AssistantEntry[], after: readonly AssistantEntry[]): void {
  const faults = before.flatMap(({ id, history = [] }) => {
    const [last, now] = [history.at(-1), after.find((entry) => entry.id === id)];
    const isKnown = !last || !now || now.history?.some((change) => isDeepStrictEqual(change, last));
    return isKnown ? [] : [`${id} was ${last.change} at ${last.at}, and the file does not know of it.`];
  });
  if (faults.length === 0) return;
  throw new UsageFault(
    faults,
    'take what staywire assistants show prints by now and change that, or add --force to undo it',
  );
}

function withHistory(
  text: string,
  before: readonly AssistantEntry[],
  changeOf: (change: RegistryChange['change']) => RegistryChange,
): string {
  return entriesIn(text).reduce((changed, entry) => {
    const earlier = before.find(({ id }) => id === entry.id);
    const change = whatChanged(earlier, entry);
    return change === null ? changed : withChange(changed, entry.id, changeOf(change));
  }, text);
}

function whatChanged(
  before: AssistantEntry | undefined,
  after: AssistantEntry,
): RegistryChange['change'] | null {
  if (!before) return 'added';
  if (before.status !== after.status) return after.status;
  const { history: _before, ...was } = before;
  const { history: _after, ...is } = after;
  return isDeepStrictEqual(was, is) ? null : 'changed';
}
