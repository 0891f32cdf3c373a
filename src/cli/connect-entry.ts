import { type TSchema, Type } from 'typebox';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { Connector } from '../connectors/connector.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import type { BrandInFile } from './edit-network-file.ts';
import { UsageFault } from './faults.ts';
import { shellOption } from './shell-command.ts';
import type { Terminal } from './terminal.ts';

const connectors: readonly Connector[] = CONNECTORS;
export const SYSTEM_KINDS: readonly string[] = connectors.map(({ kind }) => kind);

/** The kind that is named, or asked for; the one that the brand has already is suggested. */
export async function chooseSystem(
  system: string | undefined,
  terminal: Terminal,
  before: BrandInFile | undefined,
): Promise<Connector> {
  const current = memberOf(before?.booking_system, 'kind');
  const isKnown = connectors.some(({ kind }) => kind === current);
  const kind =
    system ??
    (isKnown && !terminal.canAsk ? String(current) : undefined) ??
    (await terminal.ask({
      message: 'Booking system',
      option: `--system: one of ${SYSTEM_KINDS.join(', ')}`,
      choices: connectors.map(({ kind: value, documentation }) => ({ value, label: documentation.title })),
      ...(isKnown ? { initial: String(current) } : {}),
    }));
  const connector = connectors.find((one) => one.kind === kind);
  if (connector) return connector;
  throw new UsageFault([`There is no connector for ${kind}.`], `use one of ${SYSTEM_KINDS.join(', ')}`);
}

/** The entry of the booking system: what is given, what it had before, and answers to what it cannot do without. */
export async function completeEntry(
  connector: Connector,
  brand: BrandId,
  { set = [], account }: { readonly set?: readonly string[]; readonly account?: string },
  terminal: Terminal,
  before: BrandInFile | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const members: readonly [string, TSchema][] = Object.entries(connector.entry.properties);
  const hasAccount = members.some(([name]) => name === 'account');
  if (account !== undefined && !hasAccount)
    throw new UsageFault([`${connector.kind} has no accounts.`], 'leave out --account');
  const previous = memberOf(before?.booking_system, 'kind') === connector.kind ? before?.booking_system : {};
  const entry: Record<string, unknown> = { ...(previous as object), kind: connector.kind };
  for (const assignment of set) Object.assign(entry, assigned(assignment, connector, members));
  if (hasAccount) entry.account = account ?? entry.account ?? brand;
  for (const [name, schema] of members) {
    if (name in entry || Type.IsOptional(schema)) continue;
    const { description = name } = schema as { readonly description?: string };
    const answer = await terminal.ask({
      message: `${name} (${description.replace(/\.$/, '')})`,
      option: `--set ${name}=…`,
    });
    entry[name] = asMember(answer, schema);
  }
  return entry;
}

export function settableMembers({ entry }: Connector): readonly string[] {
  return Object.keys(entry.properties).filter((name) => name !== 'kind');
}

function assigned(
  assignment: string,
  connector: Connector,
  members: readonly [string, TSchema][],
): Readonly<Record<string, unknown>> {
  const [name = '', ...value] = assignment.split('=');
  const member = members.find(([known]) => known === name && name !== 'kind');
  if (member && value.length > 0) return { [name]: asMember(value.join('='), member[1]) };
  throw new UsageFault(
    [`${shellOption('--set', assignment)} is not a member of ${connector.kind}.`],
    `write member=value with one of ${settableMembers(connector).join(', ')}`,
  );
}

/** Text where the entry has text, even if it looks like a number; else as JSON. The schema says what is wrong with it. */
function asMember(text: string, schema: TSchema): unknown {
  if (Type.IsString(schema)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
