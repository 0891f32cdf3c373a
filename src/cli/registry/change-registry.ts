import type { AssistantRegistry } from '../../access/registry/assistant-registry.ts';
import { entriesIn } from '../../access/registry/edit-registry.ts';
import type { AssistantEntry, RegistryChange } from '../../access/registry/registry-file.ts';
import { goneText, howToGoOn } from '../../access/registry/registry-gone.ts';
import type { CliSettings, CliTools, OpenedRegistry } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { paragraph } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { openSettings, type WorkspaceOptions, workspaceEnvironment } from '../workspace.ts';

export type RegistryCommandOptions = Pick<WorkspaceOptions, 'data'>;

export type CurrentRegistry = FoundRegistry & {
  readonly registry: AssistantRegistry;
  readonly entries: readonly AssistantEntry[];
};

type FoundRegistry = {
  /** Null where there is no registry, and no copy of one that is gone. */
  readonly text: string | null;
  /** Null where there is none, or only a copy. */
  readonly version: string | null;
};

/** Nodes look every second; the rest is for those that are busy. */
export const SECONDS_UNTIL_IN_FORCE = 3;
const MAX_TRIES = 10;
const MAX_NOTE = 500;

/** Gives the work the registry that a service with these settings goes by. */
export async function withRegistry<Result>(
  tools: Pick<CliTools, 'env' | 'directory' | 'readSettings' | 'openRegistry' | 'terminal'>,
  { data }: RegistryCommandOptions,
  work: (opened: OpenedRegistry, settings: Omit<CliSettings, 'networkFile'>) => Promise<Result>,
): Promise<Result> {
  const options = data === undefined ? {} : { data };
  const settings = openSettings(tools, options);
  const opened = tools.openRegistry(workspaceEnvironment(tools, options));
  if (opened.kind === 'invalid') throw new UsageFault(opened.faults);
  try {
    await noteWhereGone(opened.value, tools.terminal);
    return await work(opened.value, settings);
  } finally {
    await opened.value.close();
  }
}

async function noteWhereGone(opened: OpenedRegistry, { note }: Pick<Terminal, 'note'>): Promise<void> {
  const { copy, where } = opened;
  const { text, version } = await findRegistry(opened);
  if (copy === null || text === null || version !== null) return;
  const about = `This command goes by a copy of the one that was in force last on this machine, ${copy.path}; whatever is changed is written to ${where}, with all the rest of it.`;
  note([goneText(where), about, howToGoOn(copy)].map((one) => paragraph(one)).join('\n'));
}

/** Services go on by a registry that has got lost, so whoever changes it has to change that one, and not begin with nobody. */
export async function findRegistry({ source, copy, where }: OpenedRegistry): Promise<FoundRegistry> {
  let found = where;
  try {
    const document = await source.read();
    if (document || !copy) return document ?? { text: null, version: null };
    found = copy.path;
    return { text: copy.read(), version: null };
  } catch (error) {
    throw unreadable(found, error);
  }
}

function unreadable(place: string, error: unknown): UsageFault {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return new UsageFault(
    [`The registry in ${place} cannot be read: ${message}`],
    code === 'EACCES' || code === 'EPERM'
      ? 'run this as the account of the service, or let your account read the file'
      : null,
  );
}

export async function currentRegistry(opened: OpenedRegistry): Promise<CurrentRegistry> {
  const { read, where, copy } = opened;
  const { text, version } = await findRegistry(opened);
  if (text === null) return { text, version, registry: { assistants: [] }, entries: [] };
  const isCopy = version === null && copy !== null;
  const reading = isCopy ? read(text, copy.path) : read(text);
  if (reading.kind === 'invalid' && isCopy) {
    throw new UsageFault(reading.faults, 'mend this copy, or delete it to begin anew');
  }
  if (reading.kind === 'invalid') {
    throw new UsageFault(
      reading.faults,
      `mend the registry in ${where} first (docs/assistant-registry.md); until then services go on with the last one that was right`,
    );
  }
  return { text, version, registry: reading.value, entries: entriesIn(text) };
}

/** Changes the registry as it is by now. A change of null leaves it as it is; resolves with whether anything was written. */
export async function changeRegistry(
  opened: OpenedRegistry,
  change: (current: CurrentRegistry) => string | null,
): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const current = await currentRegistry(opened);
    const text = change(current);
    if (text === null) return false;
    const reading = opened.read(text);
    if (reading.kind === 'invalid') throw new UsageFault(reading.faults, 'see docs/assistant-registry.md');
    if ((await opened.source.replace(current.version, text)) === 'replaced') return true;
  }
  throw new UsageFault(['Others change the registry all the time.'], 'run this again');
}

/** A line of the history, at this moment. */
export function changeNow(
  { clock }: Pick<CliTools, 'clock'>,
  change: RegistryChange['change'],
  note: string | undefined,
): RegistryChange {
  if (
    note !== undefined &&
    (note.trim() === '' || note.length > MAX_NOTE || /[\p{Cc}\u2028\u2029]/u.test(note))
  ) {
    throw new UsageFault(
      [`--note is empty, longer than ${MAX_NOTE} characters, or has a line break.`],
      'give --note as a text of one line',
    );
  }
  const at = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return { at, change, ...(note === undefined ? {} : { note }) };
}

export function whenInForce({ where }: Pick<OpenedRegistry, 'where'>): string {
  return `Written to ${where}. Every service on this registry goes by it within ${SECONDS_UNTIL_IN_FORCE} seconds, without a restart.`;
}
