import { type TSchema, Type } from 'typebox';
import type { Connector } from '../connectors/connector.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import { NetworkFile } from './network-file.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const GENERATED = /(<!-- generated: booking systems -->\n).*(<!-- end of generated -->)/s;

/** File below `docs/` → its new content, given the current one. */
export const NETWORK_DOCUMENTS: Readonly<Record<string, (current: string) => string>> = {
  'operator-protocol.schema.json': () =>
    schemaDocument({
      $schema: DIALECT,
      title: CONNECTORS.flatMap(({ documentation: { title, schemas } }) =>
        Object.keys(schemas).length > 0 ? [title] : [],
      ).join('; '),
      $defs: Object.assign({}, ...CONNECTORS.map(({ documentation }) => documentation.schemas)),
    }),
  'network-file.schema.json': () =>
    schemaDocument({ $schema: DIALECT, title: 'Network file', ...NetworkFile }),
  'network-file.md': (current) =>
    current.replace(
      GENERATED,
      (_, start: string, end: string) => `${start}\n${CONNECTORS.map(sectionOf).join('\n')}\n${end}`,
    ),
};

function schemaDocument(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The section about one kind of booking system. */
function sectionOf({ kind, entry, documentation }: Connector): string {
  const members: readonly [string, TSchema][] = Object.entries(entry.properties);
  const rows = members
    .filter(([name]) => name !== 'kind')
    .map(([name, member]) => `| \`${name}\` | ${meaningOf(member)} |`);
  return `### \`"kind": "${kind}"\`\n\n${documentation.text}\n\n| Member | |\n|---|---|\n${rows.join('\n')}\n`;
}

function meaningOf(member: TSchema & Described): string {
  const { description = '', minimum, maximum, default: byDefault } = member;
  const text = description.replace(/\.$/, '');
  const count = (value: number) => value.toLocaleString('en');
  if (minimum !== undefined && maximum !== undefined && byDefault !== undefined) {
    return `${text}: ${count(minimum)} to ${count(maximum)}, by default ${count(byDefault)}.`;
  }
  return Type.IsOptional(member) ? `${text}. Optional.` : `${text}.`;
}

type Described = {
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
};
