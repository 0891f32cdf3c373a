import type { TSchema } from 'typebox';
import { NetworkFile } from '../network/network-file.ts';
import { Listing } from './listing.ts';
import {
  CalendarsAnswer,
  CalendarsRequest,
  CataloguePage,
  PROTOCOL_VERSION,
  QuotesAnswer,
  QuotesRequest,
} from './open/protocol.ts';
import { RateCard } from './rate-card/rate-card.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** What operators and owners of a network exchange with us, by the names that the documents use. */
const OPERATOR_SCHEMAS = {
  Listing,
  CataloguePage,
  CalendarsRequest,
  CalendarsAnswer,
  QuotesRequest,
  QuotesAnswer,
  RateCard,
} as const satisfies Record<string, TSchema>;

/** File below `docs/` → the JSON Schema document in it. */
export const PUBLISHED_SCHEMAS: Readonly<Record<string, string>> = {
  'operator-protocol.schema.json': documentOf({
    $schema: DIALECT,
    title: `Open operator protocol, version ${PROTOCOL_VERSION}`,
    $defs: OPERATOR_SCHEMAS,
  }),
  'network-file.schema.json': documentOf({ $schema: DIALECT, title: 'Network file', ...NetworkFile }),
};

function documentOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
