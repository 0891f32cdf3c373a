import type { Static, TLiteral, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BrandBudget, InventorySource } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OpenClient } from '../outbound/http-client.ts';
import type { StoredDocument } from '../parsing/owned-memory.ts';
import { invalid, type PointedFault, type Reading, schemaFaults, valid } from '../parsing/reading.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { FeedLoss } from './icalendar/availability-feeds.ts';
import type { FeedPace } from './icalendar/fetch-feed.ts';
import type { CredentialDescription, SealedCredentials } from './shared/account/account-credentials.ts';
import type { OpenAccount } from './shared/account/accounts.ts';
import type { Intake } from './shared/intake/intake.ts';
import type { ListingContext } from './shared/listings/listing.ts';

/** The schema of a `booking_system` entry: `kind` is a literal, and names the connector. */
type EntrySchema = TObject<{ kind: TLiteral<string> }>;

/** One kind of booking system, made by `createConnector` or, with an account, by `createVendorConnector`. `connectors.ts` lists them all. */
export type Connector<Entry extends EntrySchema = EntrySchema> = {
  readonly kind: string;
  /** The `booking_system` entry of the network file. */
  readonly entry: Entry;
  readonly inventorySource: InventorySource;
  readonly documentation: ConnectorDocumentation;
  /** The secrets of an account, by name; empty for a kind without accounts. */
  readonly credentials: Readonly<Record<string, CredentialDescription>>;
  /** Whether its prices can be called final: false when the vendor does not state that they include every tax and fee. */
  readonly canStateAllInTotals: boolean;
  /** Checks an entry against the schema, then reads it. Pointers are relative to the entry. */
  readEntry(entry: unknown, surroundings: Surroundings): Reading<Connect, PointedFault>;
};

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the network file: paths in it are relative to this. */
  readonly directory: string;
  /** From the encrypted file; left out when there is none. */
  readonly sealedCredentials?: SealedCredentials;
};

export type Connect = (tools: ConnectTools) => BookingSystem;

/** What the service passes to every connection. */
export type ConnectTools = {
  readonly context: ListingContext;
  readonly clock: Clock;
  /** The only way to an operator's server. */
  readonly openClient: OpenClient;
  /** Opens an account: budget and token, shared by all brands that use it. */
  readonly openAccount: OpenAccount;
  /** Limits how fast the availability feeds of all brands are fetched. */
  readonly feedPace: FeedPace;
  /** Whether an address is on a server of other brands or a vendor's API, and not of this brand. */
  readonly isForeign: (url: string) => boolean;
  /** Reads the operator's documents: a connector parses no bytes itself. */
  readonly intake: Intake;
  /** The maximum size of the brand; a larger catalogue is a failure of the kind `too_large`. */
  readonly budget: BrandBudget;
  /** Documents of the brand that survive a restart, by name. */
  readonly stored: (name: string) => StoredDocument;
  /** How long prices may come from a document after its last successful reading, while it cannot be read again. */
  readonly maxDocumentAgeMs: number;
  /** The operator's document could not be read, and the last accepted one is used instead. */
  readonly onLastDocumentUsed: (failure: BookingSystemFailure) => void;
  /** An availability feed of a home lost most of its nights, which stay taken. */
  readonly onNightsLost?: (reference: string, loss: FeedLoss) => void;
};

/** Access to operators' servers: clients, accounts, and the pace of feeds. */
export type OperatorAccess = Pick<ConnectTools, 'openClient' | 'openAccount' | 'feedPace'>;

export type ConnectorDocumentation = {
  readonly title: string;
  /** Markdown for docs/network-file.md; a table of the entry's members follows it. */
  readonly text: string;
  /** The address of a home's page, if it follows from the entry: `{url}` stands for the entry's URL. */
  readonly stayUrl?: string;
  /** Schemas of the documents exchanged with the operator, for docs/operator-protocol.schema.json. */
  readonly schemas: Readonly<Record<string, TSchema>>;
};

export function createConnector<Entry extends EntrySchema, Connection>({
  entry,
  inventorySource,
  documentation,
  credentials = {},
  canStateAllInTotals = true,
  read,
  connect,
}: {
  readonly entry: Entry;
  readonly inventorySource: InventorySource;
  readonly documentation: ConnectorDocumentation;
  readonly credentials?: Connector['credentials'];
  readonly canStateAllInTotals?: boolean;
  /** Checks what a schema cannot. */
  readonly read: (entry: Static<Entry>, surroundings: Surroundings) => Reading<Connection, PointedFault>;
  readonly connect: (connection: Connection, tools: ConnectTools) => BookingSystem;
}): Connector<Entry> {
  const validator = Compile(entry);
  return {
    kind: entry.properties.kind.const,
    entry,
    inventorySource,
    documentation,
    credentials,
    canStateAllInTotals,
    readEntry(value, surroundings) {
      if (!validator.Check(value)) return invalid(...schemaFaults(validator, value));
      const reading = read(value, surroundings);
      if (reading.kind === 'invalid') return reading;
      return valid((tools) => connect(reading.value, tools));
    },
  };
}
