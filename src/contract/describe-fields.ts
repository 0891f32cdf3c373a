import type { TSchema } from 'typebox';

export type DescribedField = { type: string; nullable: boolean; meaning: string };

/** The JSON Schema members that the schemas of the contract use. */
type SchemaNode = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  /** Objects whose names are data, such as the places on offer. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
};

/** Flattens a body's schema to path → type, nullable, meaning. A path is for example `results[].quote.amount`. */
export function describeFields(schema: TSchema): Record<string, DescribedField> {
  const fields: Record<string, DescribedField> = {};
  walk('', schema as SchemaNode, fields);
  return fields;
}

function walk(path: string, node: SchemaNode, fields: Record<string, DescribedField>): void {
  const choices = node.anyOf?.filter((choice) => choice.type !== 'null') ?? [];
  const nullable = node.type === 'null' || choices.length < (node.anyOf?.length ?? 0);
  const shape = node.anyOf ? (choices[0] ?? node) : node;
  if (path !== '') {
    const meaning =
      [node.description, shape === node ? undefined : shape.description].find((text) => text) ?? '';
    fields[path] = { type: typeOf(choices.length > 1 ? { anyOf: choices } : shape), nullable, meaning };
  }
  // Where a value has several shapes, a shared member is described by the first of them.
  for (const one of node.anyOf ? choices : [node]) {
    for (const [name, property] of Object.entries(one.properties ?? {})) {
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (!fields[memberPath]) walk(memberPath, property, fields);
    }
  }
  for (const property of Object.values(shape.patternProperties ?? {})) {
    if (property.properties)
      for (const [name, member] of Object.entries(property.properties)) {
        walk(`${path}.*.${name}`, member, fields);
      }
  }
  for (const item of shape.items?.anyOf ?? (shape.items ? [shape.items] : [])) {
    for (const [name, property] of Object.entries(item.properties ?? {})) {
      const itemPath = `${path}[].${name}`;
      if (!fields[itemPath]) walk(itemPath, property, fields);
    }
  }
}

function typeOf(node: SchemaNode): string {
  if (node.enum) return `one of: ${node.enum.join(', ')}`;
  if (node.const !== undefined) return `always: ${String(node.const)}`;
  if (node.type === 'array') return `array of ${node.items ? typeOf(node.items) : 'values'}`;
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  return node.type ?? 'value';
}
