import type { DocumentStatus } from '../../../access/published/published-documents.ts';
import { LOCAL, type Recognition } from '../../../access/registry/assistant-registry.ts';
import {
  changeNow,
  findRegistry,
  RegistryFault,
  SECONDS_UNTIL_IN_FORCE,
} from '../../../access/registry/change-registry.ts';
import type {
  LimitsInDocument,
  RegistryChange,
  WayInDocument,
} from '../../../access/registry/registry-file.ts';
import { goneText, howToGoOn } from '../../../access/registry/registry-source.ts';
import type { CliSettings, CliTools, OpenedRegistry } from '../../command.ts';
import { UsageFault } from '../../faults.ts';
import { counted, paragraph, type Terminal } from '../../terminal.ts';
import { openSettings, type WorkspaceOptions, workspaceEnvironment } from '../../workspace.ts';

export type RegistryCommandOptions = Pick<WorkspaceOptions, 'data'>;

const MAX_NOTE = 500;

/** Opens the registry that a service with these settings uses, for the time of the work. */
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
    await noteMissingRegistry(opened.value, tools.terminal);
    return await work(opened.value, settings);
  } catch (error) {
    throw error instanceof RegistryFault ? new UsageFault(error.faults, error.next) : error;
  } finally {
    await opened.value.close();
  }
}

async function noteMissingRegistry(opened: OpenedRegistry, { note }: Pick<Terminal, 'note'>): Promise<void> {
  const { copy, where } = opened;
  const { text, version } = await findRegistry(opened);
  if (copy === null || text === null || version !== null) return;
  const about = `This command goes by a copy of the one that was in force last on this machine, ${copy.path}; whatever is changed is written to ${where}, with all the rest of it.`;
  note([goneText(where), about, howToGoOn(copy)].map((one) => paragraph(one)).join('\n'));
}

/** An entry of the history, with the note of the person at the terminal. */
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

/** The fault of a command about an assistant that is not in the registry, or where there is no registry. `consequence` ends the sentence. */
export function unlistedAssistant(
  id: string,
  { where, isThere }: { readonly where: string; readonly isThere: boolean },
  consequence = '',
): UsageFault {
  if (id === LOCAL) {
    return new UsageFault(
      [`${LOCAL} stands for the callers of STAYWIRE_TRUSTED_NETWORKS.`],
      'change that setting, and restart the service',
    );
  }
  if (!isThere) {
    return new UsageFault(
      [
        `There is no registry in ${where}. If there was one, a service that still runs by it goes on answering those whom it listed.`,
      ],
      'put that registry back with staywire assistants store FILE, or begin one with staywire assistants approve',
    );
  }
  return new UsageFault(
    [`${id} is not in the registry in ${where}${consequence}.`],
    'staywire assistants list shows who is registered',
  );
}

type HostSettings = Pick<CliSettings, 'publicUrl' | 'hosts'>;

/** The host for which a signature has to be made, with its setting: `stays.example (STAYWIRE_PUBLIC_URL)`. Null where no setting names one. */
export function hostsToSignFor({ publicUrl, hosts }: HostSettings): string | null {
  const named = [
    ...(publicUrl === null ? [] : [`${new URL(publicUrl).host} (STAYWIRE_PUBLIC_URL)`]),
    ...hosts.map((host) => `${host} (STAYWIRE_HOSTS)`),
  ];
  return named.length === 0 ? null : named.join(' or ');
}

export const NO_HOST_TO_SIGN_FOR =
  'Every signature is refused while neither STAYWIRE_PUBLIC_URL nor STAYWIRE_HOSTS says for which host it has to be made. The environment of this command has neither: set one for the service.';

const MAX_SHOWN = 3;

/** Describes a way of recognition. */
export function wayText(way: WayInDocument): string {
  if ('signature_agent' in way) return `a signature by a key of ${way.signature_agent}`;
  if ('jwks_uri' in way) return `a signature by a key at ${way.jwks_uri}`;
  if ('network' in way) return `any caller in ${listed(way.network)}`;
  const agent = `User-Agent ${way.user_agent}`;
  if ('ranges' in way) return `${agent}, from ${listed(way.ranges)}`;
  if ('ranges_file' in way) return `${agent}, from the networks in ${way.ranges_file}`;
  if ('ranges_url' in way) return `${agent}, from the networks published at ${way.ranges_url}`;
  return `${agent}, from a machine whose name is under ${way.reverse_dns.join(' or ')}`;
}

function listed(networks: readonly string[]): string {
  const shown = networks.slice(0, MAX_SHOWN).join(', ');
  const others = networks.length - MAX_SHOWN;
  return others > 0 ? `${shown} and ${counted(others, 'other network')}` : shown;
}

/** Singular and plural. */
const NOUNS = {
  requests: ['request in a window', 'requests in a window'],
  sessions: ['open session', 'open sessions'],
  megabytes: ['megabyte kept', 'megabytes kept'],
  searches: ['search at a time', 'searches at a time'],
} as const satisfies Record<keyof LimitsInDocument, readonly [string, string]>;

/** `6000 requests in a window, 1 search at a time`. */
export function limitsText(limits: LimitsInDocument): string {
  const texts = Object.entries(limits).map(
    ([member, value]) => `${value} ${NOUNS[member as keyof LimitsInDocument][value === 1 ? 0 : 1]}`,
  );
  return texts.length > 0 ? texts.join(', ') : 'those of the settings';
}

/** The published document that a way of recognition depends on, if any. */
export function publishedFor(
  way: Recognition | undefined,
  published: readonly DocumentStatus[],
): DocumentStatus | undefined {
  const [kind, url] =
    way?.kind === 'signature'
      ? ['keys', way.keysUrl]
      : way?.kind === 'published_ranges'
        ? ['ranges', way.url]
        : [];
  return published.find((one) => one.kind === kind && one.url === url);
}

/** `fetched 2027-01-15T12:00:00.000Z`, `never fetched`. */
export function lastFetchText({ source, confirmedAt, isTooOld }: DocumentStatus): string {
  if (source === null || confirmedAt === null) return 'never fetched';
  const when = new Date(confirmedAt).toISOString();
  return `fetched ${when}${isTooOld ? ', too old to be used' : ''}`;
}

/** `keys at https://…`. */
export function documentText({ kind, url }: Pick<DocumentStatus, 'kind' | 'url'>): string {
  return `${kind === 'keys' ? 'keys' : 'networks'} at ${url}`;
}

/** As data, for `--json`. */
export function publishedData(published: readonly DocumentStatus[]) {
  return published.map(({ kind, url, source, confirmedAt, isTooOld, lastFailure }) => ({
    kind,
    url,
    source,
    confirmed_at: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    usable: !isTooOld,
    last_failure: lastFailure?.detail ?? null,
  }));
}
