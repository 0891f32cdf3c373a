import {
  changeNow,
  findRegistry,
  RegistryFault,
  SECONDS_UNTIL_IN_FORCE,
} from '../../access/registry/change-registry.ts';
import type { RegistryChange } from '../../access/registry/registry-file.ts';
import { goneText, howToGoOn } from '../../access/registry/registry-gone.ts';
import type { CliSettings, CliTools, OpenedRegistry } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { paragraph } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { openSettings, type WorkspaceOptions, workspaceEnvironment } from '../workspace.ts';

export type RegistryCommandOptions = Pick<WorkspaceOptions, 'data'>;

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
  } catch (error) {
    throw error instanceof RegistryFault ? new UsageFault(error.faults, error.next) : error;
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

/** A line of the history, with the note of whoever sits at the terminal. */
export function notedChange<Change extends RegistryChange['change']>(
  tools: Pick<CliTools, 'clock'>,
  change: Change,
  note: string | undefined,
): RegistryChange & { readonly change: Change } {
  if (
    note !== undefined &&
    (note.trim() === '' || note.length > MAX_NOTE || /[\p{Cc}\u2028\u2029]/u.test(note))
  ) {
    throw new UsageFault(
      [`--note is empty, longer than ${MAX_NOTE} characters, or has a line break.`],
      'give --note as a text of one line',
    );
  }
  return changeNow(tools, change, note);
}

export function whenInForce({ where }: Pick<OpenedRegistry, 'where'>): string {
  return `Written to ${where}. Every service on this registry goes by it within ${SECONDS_UNTIL_IN_FORCE} seconds, without a restart.`;
}
