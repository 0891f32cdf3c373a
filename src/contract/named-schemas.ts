import type { TSchema } from 'typebox';
import { OPERATIONS, type Operation } from './operations.ts';
import { Option, Quote } from './option.ts';
import { AmenityOffer } from './payload-fields.ts';
import { Problem } from './problem-body.ts';
import { FieldRefusal, RefusalReason } from './refusal-reasons.ts';
import { Access, AskAgain, Change, ClearFilters, ComparisonSet, Coverage, Refine } from './result-body.ts';
import {
  AllowedValues,
  NextCall,
  OfferedRequest,
  Place,
  Received,
  ResultLink,
  SearchRequest,
} from './search-body.ts';
import { AuthRequest } from './session-body.ts';

/** What deserves a name besides the answers, because types are generated from the OpenAPI document. */
const NAMED_PARTS: Readonly<Record<string, TSchema>> = {
  Access,
  AllowedValues,
  AmenityOffer,
  AskAgain,
  AuthRequest,
  Change,
  ClearFilters,
  ComparisonSet,
  Coverage,
  FieldRefusal,
  NextCall,
  OfferedRequest,
  Option,
  Place,
  Problem,
  Quote,
  Received,
  Refine,
  RefusalReason,
  ResultLink,
  SearchRequest,
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type NamedSchemas = {
  /** For `components.schemas`, in the order of their names. */
  readonly components: Readonly<Record<string, Json>>;
  /** The schema with a reference in the place of everything that has a name. */
  referring(schema: TSchema): Json;
};

/** Bodies and their parts by name. A part is recognised by what it says, because TypeBox copies schemas when it combines them. */
export function namedSchemas(): NamedSchemas {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const bodies = operations.flatMap(({ answers }) =>
    answers.map(({ name, schema }) => [name, schema] as const),
  );
  const all = { ...NAMED_PARTS, ...Object.fromEntries(bodies) };
  const names = new Map(Object.entries(all).map(([name, schema]) => [JSON.stringify(schema), name]));
  const sorted = Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    components: Object.fromEntries(sorted.map(([name, schema]) => [name, membersOf(plain(schema))])),
    referring: (schema) => refer(plain(schema)),
  };

  function refer(node: Json): Json {
    const name = names.get(JSON.stringify(node));
    return name === undefined ? membersOf(node) : { $ref: `#/components/schemas/${name}` };
  }

  function membersOf(node: Json): Json {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, refer(member)]));
  }
}

function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema));
}
