import {
  changeRegistry,
  changeStatus,
  type LimitChanges,
  SECONDS_UNTIL_IN_FORCE,
  withLimits,
  withoutAssistant,
} from '../../../access/registry/change-registry.ts';
import type { LimitsInDocument } from '../../../access/registry/registry-file.ts';
import { type CliTools, type CommandResult, EXIT } from '../../command.ts';
import { UsageFault } from '../../faults.ts';
import { paragraph } from '../../text-layout.ts';
import {
  limitsText,
  notedChange,
  type RegistryCommandOptions,
  unlistedAssistant,
  whenInForce,
  withRegistry,
} from './registry.ts';

type LimitOptions = RegistryCommandOptions &
  Readonly<Partial<Record<keyof LimitsInDocument, string>>> & { readonly note?: string };

const NO_LIMIT = 'none';
/** A record, so that a new limit without its option does not compile. */
const OPTIONS: Readonly<Record<keyof LimitsInDocument, true>> = {
  requests: true,
  sessions: true,
  searches: true,
  megabytes: true,
};
const LIMITS = Object.keys(OPTIONS) as (keyof LimitsInDocument)[];

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
    return {
      exit: EXIT.done,
      json: {
        id,
        limits,
        changed: isChanged,
        registry: opened.where,
        in_force_within_seconds: SECONDS_UNTIL_IN_FORCE,
      },
      text: isChanged
        ? [paragraph(`Limits of ${id}: ${limitsText(limits)}.`), paragraph(whenInForce(opened))].join('\n')
        : paragraph(`${id} has these limits already, in ${opened.where}; nothing was changed.`),
    };
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
    return {
      exit: EXIT.done,
      json: { id, registry: opened.where, in_force_within_seconds: SECONDS_UNTIL_IN_FORCE },
      text: `Removed ${id}, with its limits and its history.\n${paragraph(whenInForce(opened))}`,
    };
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
    return {
      exit: EXIT.done,
      json: {
        id,
        status: 'suspended',
        changed: isChanged,
        registry: opened.where,
        in_force_within_seconds: SECONDS_UNTIL_IN_FORCE,
      },
      text: isChanged
        ? `Suspended ${id}.\n${paragraph(whenInForce(opened))}`
        : paragraph(`${id} is suspended already, in ${opened.where}; nothing was changed.`),
    };
  });
}
