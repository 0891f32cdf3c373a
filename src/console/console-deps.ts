import type { StatusOutcome } from '../access/registry/change-registry.ts';
import type { AssistantEntry } from '../access/registry/registry-file.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import type { MakeReport } from '../analytics/reports/report.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { ServeOperation } from '../requests/serve-operation.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { OperatorHealth } from '../sync/operator-health.ts';
import type { ConsoleEntry } from '../telemetry/audit/audit-record.ts';
import type { AccountBehind } from './account-behind.ts';
import type { KeptPassword } from './noticed-password.ts';

/** All that the console needs from the rest of the service. */
export type ConsoleDeps = {
  /** The name of the network. */
  readonly network: string;
  readonly brands: readonly ConsoleBrand[];
  /** The name of a place; undefined for one that is not on the network. */
  readonly placeName: (id: string) => string | undefined;
  /** Its current name; undefined for a home that is no longer in a catalogue. */
  readonly homeName: (property: PropertyId) => string | undefined;
  /** Undefined for one that is no longer registered. */
  readonly assistantName: (id: string) => string | undefined;
  /** Where it listens; requests may name it as their host. */
  readonly host: string;
  readonly makeReport: MakeReport;
  readonly operators: ConsoleOperators;
  readonly assistants: ConsoleAssistants;
  readonly ledger: Pick<QuoteLedger, 'findQuotes'>;
  readonly outcomes: Pick<BookingOutcomes, 'ofQuote'>;
  readonly serveOperation: ServeOperation;
  /** Null until one is set. */
  readonly password: KeptPassword;
  readonly accountBehind: AccountBehind;
  readonly audit: (record: ConsoleEntry & { readonly at: number }) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: { error(members: object, message: string): void };
};

export type ConsoleBrand = { readonly id: BrandId; readonly name: string };

export type ConsoleOperators = {
  health(): Promise<readonly OperatorHealth[]>;
  /** Once it resolves, no search of this node finds its homes. Resolves with false when that was so already; `resume` likewise. */
  pause(brand: BrandId): Promise<boolean>;
  resume(brand: BrandId): Promise<boolean>;
  readNow(brand: BrandId): Promise<void>;
};

export type ConsoleAssistants = {
  listed(): Promise<readonly ShownAssistant[]>;
  suspend(id: string): Promise<StatusOutcome['kind']>;
  approve(id: string): Promise<StatusOutcome['kind']>;
};

export type ShownAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: AssistantEntry['status'];
  /** False for the callers of trusted networks, whom a setting lets in and no registry lists. */
  readonly isListed: boolean;
  /** How it is recognised, in a few words each. */
  readonly ways: readonly string[];
  /** The last change in its history. */
  readonly lastChange: { readonly at: string; readonly change: string; readonly note: string | null } | null;
};
