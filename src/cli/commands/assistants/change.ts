import { describeAssistantRegistry, LOCAL } from '../../../access/registry/assistant-registry.ts';
import {
  changeRegistry,
  changeStatus,
  currentRegistry,
  type LimitChanges,
  SECONDS_UNTIL_IN_FORCE,
  withAssistant,
  withLimits,
  withoutAssistant,
  withStatus,
} from '../../../access/registry/change-registry.ts';
import { risksOf } from '../../../access/registry/recognition-ways.ts';
import type {
  AssistantEntry,
  LimitsInDocument,
  WayInDocument,
} from '../../../access/registry/registry-file.ts';
import { invalid } from '../../../parsing/reading.ts';
import {
  type CliSettings,
  type CliTools,
  type CommandResult,
  EXIT,
  type OpenedRegistry,
} from '../../command.ts';
import { UsageFault } from '../../faults.ts';
import { paragraph, warningLines } from '../../terminal.ts';
import {
  hostsToSignFor,
  limitsText,
  NO_HOST_TO_SIGN_FOR,
  notedChange,
  type RegistryCommandOptions,
  unlistedAssistant,
  wayText,
  whenInForce,
  withRegistry,
} from './registry.ts';

/** The answer to a change: what was done, and when it is in force, or that nothing was changed. */
function changeResult(
  opened: OpenedRegistry,
  json: Readonly<Record<string, unknown>>,
  done: string | null,
  already = '',
): CommandResult {
  return {
    exit: EXIT.done,
    json: { ...json, registry: opened.where, in_force_within_seconds: SECONDS_UNTIL_IN_FORCE },
    text:
      done === null
        ? paragraph(`${already}, in ${opened.where}; nothing was changed.`)
        : `${done}\n${paragraph(whenInForce(opened))}`,
  };
}

type LimitOptions = RegistryCommandOptions &
  Readonly<Partial<Record<keyof LimitsInDocument, string>>> & { readonly note?: string };

const NO_LIMIT = 'none';
const LIMITS = [
  'requests',
  'sessions',
  'searches',
  'megabytes',
] as const satisfies (keyof LimitsInDocument)[];

/** Sets the named limits of one assistant; the others stay as they are. */
export async function limitAssistant(
  id: string,
  options: LimitOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const wanted = limitsIn(options);
  const changed = notedChange(tools, 'changed', options.note);
  return withRegistry(tools, options, async (opened) => {
    let limits: LimitsInDocument = {};
    const isChanged = await changeRegistry(opened, ({ entries, text }) => {
      const registered = entries.find((entry) => entry.id === id);
      if (!registered || text === null) {
        throw unlistedAssistant(id, { where: opened.where, isThere: text !== null });
      }
      const before = registered.limits ?? {};
      limits = withChanges(before, wanted);
      const isOther = LIMITS.some((limit) => limits[limit] !== before[limit]);
      return isOther ? withLimits(text, id, wanted, changed) : null;
    });
    const done = isChanged ? paragraph(`Limits of ${id}: ${limitsText(limits)}.`) : null;
    return changeResult(opened, { id, limits, changed: isChanged }, done, `${id} has these limits already`);
  });
}

function limitsIn(options: LimitOptions): LimitChanges {
  const named = LIMITS.flatMap((limit) => {
    const text = options[limit];
    return text === undefined ? [] : [[limit, limitIn(limit, text)] as const];
  });
  if (named.length > 0) return Object.fromEntries(named);
  throw new UsageFault(
    ['Nothing says which limit.'],
    `give one or more of ${LIMITS.map((limit) => `--${limit}`).join(', ')}`,
  );
}

function limitIn(limit: string, text: string): number | null {
  if (text === NO_LIMIT) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageFault(
    [`--${limit} is neither a whole number from 1 on nor ${NO_LIMIT}.`],
    `give a number, or ${NO_LIMIT} to take the limit away`,
  );
}

function withChanges(before: LimitsInDocument, wanted: LimitChanges): LimitsInDocument {
  const all = Object.entries({ ...before, ...wanted });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** Deletes an assistant with its ways of recognition, its limits and its history. Suspending keeps them and refuses it. */
export async function removeAssistant(
  id: string,
  options: RegistryCommandOptions,
  tools: CliTools,
): Promise<CommandResult> {
  return withRegistry(tools, options, async (opened) => {
    await changeRegistry(opened, ({ entries, text }) => {
      if (text === null || !entries.some((entry) => entry.id === id)) {
        throw unlistedAssistant(id, { where: opened.where, isThere: text !== null });
      }
      return withoutAssistant(text, id);
    });
    return changeResult(opened, { id }, `Removed ${id}, with its limits and its history.`);
  });
}

type SuspendOptions = RegistryCommandOptions & { readonly note?: string };

/** Refuses an assistant from now on, however it is recognised, and keeps its entry. */
export async function suspendAssistant(
  id: string,
  options: SuspendOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const suspended = notedChange(tools, 'suspended', options.note);
  return withRegistry(tools, options, async (opened) => {
    const outcome = await changeStatus(opened, id, suspended);
    if (outcome.kind === 'not_listed') {
      const place = { where: opened.where, isThere: outcome.isThere };
      throw unlistedAssistant(id, place, ', so it is refused already');
    }
    const isChanged = outcome.kind === 'changed';
    const done = isChanged ? `Suspended ${id}.` : null;
    const json = { id, status: 'suspended', changed: isChanged };
    return changeResult(opened, json, done, `${id} is suspended already`);
  });
}

type ApproveOptions = RegistryCommandOptions &
  WayOptions & { readonly name?: string; readonly note?: string; readonly force?: boolean };

const ID = /^[a-z0-9-]{1,64}$/;

/** Approves a registered assistant, a well-known one by its id, or a new one with the given ways of recognition. */
export async function approveAssistant(
  id: string,
  options: ApproveOptions,
  tools: CliTools,
): Promise<CommandResult> {
  assertId(id);
  const ways = waysFromOptions(options);
  const risks = options.force ? [] : ways.flatMap(risksOf);
  if (risks.length > 0)
    throw new UsageFault(risks, 'name the assistant more narrowly, or add --force if this is what you want');
  const approved = notedChange(tools, 'approved', options.note);
  return withRegistry(tools, options, async (opened, settings) => {
    let isNew = false;
    let isFirst = false;
    const isChanged = await changeRegistry(opened, (current) => {
      const registered = current.entries.find((entry) => entry.id === id);
      isNew = !registered;
      isFirst = current.text === null;
      if (!registered || current.text === null) {
        const entry = newEntry(id, ways, options, opened);
        return withAssistant(current.text, { ...entry, history: [{ ...approved, change: 'added' }] });
      }
      assertNothingElse(id, ways, options, opened);
      return registered.status === 'approved' ? null : withStatus(current.text, id, 'approved', approved);
    });
    const warnings = await warningsAbout(id, opened, settings);
    const known = opened.catalogue.find((one) => one.id === id);
    const shownWays = ways.length > 0 ? ways : (known?.recognisedBy ?? []);
    const text = [
      ...(isChanged
        ? [
            `Approved ${id}.`,
            ...(isNew ? shownWays : []).map((way, index) =>
              paragraph(`${index === 0 ? 'Known by' : 'or by'} ${wayText(way)}`, '  '),
            ),
            paragraph(whenInForce(opened)),
            ...(isFirst ? [paragraph(`There was no registry before: ${id} is the only one in it.`)] : []),
          ]
        : [paragraph(`${id} is approved already, in ${opened.where}; nothing was changed.`)]),
      ...warningLines(warnings, tools.terminal),
    ].join('\n');
    return {
      exit: EXIT.done,
      json: {
        id,
        status: 'approved',
        changed: isChanged,
        registry: opened.where,
        in_force_within_seconds: SECONDS_UNTIL_IN_FORCE,
        warnings,
      },
      text,
    };
  });
}

function assertId(id: string): void {
  if (id === LOCAL) {
    throw new UsageFault(
      [`${LOCAL} stands for the callers of STAYWIRE_TRUSTED_NETWORKS.`],
      'change that setting, or choose another id',
    );
  }
  if (ID.test(id)) return;
  throw new UsageFault(
    ['The id of an assistant is made of a-z, 0-9 and -.'],
    'staywire assistants list shows those that there are',
  );
}

function newEntry(
  id: string,
  ways: readonly WayInDocument[],
  { name }: ApproveOptions,
  { catalogue }: OpenedRegistry,
): AssistantEntry {
  const isKnown = catalogue.some((one) => one.id === id);
  if (!isKnown && (name === undefined || ways.length === 0)) {
    const known = catalogue.map((one) => one.id);
    const missing = [
      ...(name === undefined ? ['--name'] : []),
      ...(ways.length === 0
        ? ['how it is recognised, such as --signature-agent https://assistant.example']
        : []),
    ];
    throw new UsageFault(
      [`${id} is neither registered nor known.`],
      `give ${missing.join(' and ')}${known.length > 0 ? `; known are ${known.join(', ')}` : ''}`,
    );
  }
  return {
    id,
    ...(name === undefined ? {} : { name }),
    status: 'approved',
    ...(ways.length === 0 ? {} : { recognised_by: [...ways] }),
  };
}

/** New ways for a registered assistant could shut it out or let others in: refuse them here. */
function assertNothingElse(
  id: string,
  ways: readonly WayInDocument[],
  { name }: ApproveOptions,
  { where }: OpenedRegistry,
): void {
  const given = [
    ...(name === undefined ? [] : ['its name']),
    ...(ways.length === 0 ? [] : ['how it is recognised']),
  ];
  if (given.length === 0) return;
  throw new UsageFault(
    [`${id} is registered already, and approve does not change ${given.join(' or ')}; nothing was done.`],
    `to approve it as it is, give its id alone; to change it, edit the registry in ${where}: staywire assistants show prints it, and staywire assistants store FILE checks and stores it`,
  );
}

/** A reason why a service may still refuse the approved assistant. */
async function warningsAbout(
  id: string,
  opened: OpenedRegistry,
  settings: Omit<CliSettings, 'networkFile'>,
): Promise<readonly string[]> {
  const { registry } = await currentRegistry(opened);
  const signs = registry.assistants.some(
    (one) => one.id === id && one.recognisedBy.some(({ kind }) => kind === 'signature'),
  );
  return signs && hostsToSignFor(settings) === null ? [NO_HOST_TO_SIGN_FOR] : [];
}

export type WayOptions = {
  readonly signatureAgent?: string;
  readonly jwksUri?: string;
  readonly userAgent?: string;
  readonly ranges?: string;
  readonly rangesUrl?: string;
  readonly reverseDns?: string;
  readonly network?: string;
};

/** The ways of recognition in the options, in the order in which a service tries them. */
export function waysFromOptions(options: WayOptions): readonly WayInDocument[] {
  const { signatureAgent, jwksUri, userAgent, ranges, rangesUrl, reverseDns, network } = options;
  assertAgentIsProven(options);
  const user_agent = userAgent ?? '';
  const ways: readonly WayInDocument[] = [
    ...(signatureAgent === undefined ? [] : [{ signature_agent: signatureAgent.replace(/\/$/, '') }]),
    ...(jwksUri === undefined ? [] : [{ jwks_uri: jwksUri }]),
    ...(ranges === undefined ? [] : [{ user_agent, ranges: separated(ranges) }]),
    ...(rangesUrl === undefined ? [] : [{ user_agent, ranges_url: rangesUrl }]),
    ...(reverseDns === undefined ? [] : [{ user_agent, reverse_dns: separated(reverseDns) }]),
    ...(network === undefined ? [] : [{ network: separated(network) }]),
  ];
  const faults = [...new Set(ways.flatMap(faultsOf))];
  if (faults.length > 0) throw new UsageFault(faults, 'see docs/assistant-registry.md');
  return ways;
}

/** A User-Agent alone proves nothing, because every caller can send it. */
function assertAgentIsProven({ userAgent, ranges, rangesUrl, reverseDns }: WayOptions): void {
  const needing = { '--ranges': ranges, '--ranges-url': rangesUrl, '--reverse-dns': reverseDns };
  const [first] = Object.entries(needing).find(([, value]) => value !== undefined) ?? [];
  if (first !== undefined && userAgent === undefined) {
    throw new UsageFault(
      [`${first} needs the product token that the assistant sends.`],
      'give --user-agent as well, such as ChatGPT-User',
    );
  }
  if (first === undefined && userAgent !== undefined) {
    throw new UsageFault(
      ['A User-Agent alone proves nothing: anybody can send it.'],
      'say where it comes from too: --ranges, --ranges-url or --reverse-dns',
    );
  }
}

function faultsOf(way: WayInDocument): readonly string[] {
  const entry = { id: 'a', name: 'A', status: 'approved', recognised_by: [way] };
  const reading = describeAssistantRegistry({ assistants: [entry] }, () => invalid());
  if (reading.kind === 'valid') return [];
  return reading.faults.map((fault) => fault.replace('assistants[0] (a).recognised_by[0].', ''));
}

function separated(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
