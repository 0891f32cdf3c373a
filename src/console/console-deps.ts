import type { AssistantEntry } from '../access/registry/registry-file.ts';
import type { OperatorHealth } from '../activity/reports/operator-health.ts';
import type { MakeReport } from '../activity/reports/reports.ts';
import type { Clock } from '../clock.ts';
import type { BrandId } from '../inventory/catalogue.ts';
import type { ServeOperation } from '../operations/serve-operation.ts';
import type { BookingOutcome } from '../outcomes/booking.ts';
import type { Random } from '../random.ts';
import type { PasswordRecord } from './password-record.ts';
import type { RecordedQuote } from './recorded-quote.ts';

/** All that the console needs of the rest, by narrow ports. */
export type ConsoleDeps = {
  /** The name of the network. */
  readonly network: string;
  readonly brands: readonly ConsoleBrand[];
  /** What people call a place; undefined where nobody knows it. */
  readonly placeName: (id: string) => string | undefined;
  /** Where it listens: a name under which it may be reached. */
  readonly host: string;
  readonly makeReport: MakeReport;
  readonly operators: ConsoleOperators;
  readonly assistants: ConsoleAssistants;
  readonly ledger: ConsoleLedger;
  readonly outcomes: { ofQuote(nxq: string): Promise<readonly BookingOutcome[]> };
  readonly serveOperation: ServeOperation;
  /** Null until one was set. */
  readonly password: { read(): Promise<PasswordRecord | null> };
  readonly audit: (record: ConsoleRecord) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: { error(members: object, message: string): void };
};

export type ConsoleBrand = { readonly id: BrandId; readonly name: string };

export type ConsoleOperators = {
  health(): Promise<readonly OperatorHealth[]>;
  /** Its homes are out of every search from now on. */
  pause(brand: BrandId): Promise<void>;
  resume(brand: BrandId): Promise<void>;
  readNow(brand: BrandId): Promise<void>;
};

export type ConsoleAssistants = {
  listed(): Promise<readonly ShownAssistant[]>;
  /** Resolves with false when the registry does not list it. */
  suspend(id: string): Promise<boolean>;
  approve(id: string): Promise<boolean>;
};

export type ShownAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: AssistantEntry['status'];
  /** How it is recognised, in a few words each. */
  readonly ways: readonly string[];
  /** The last change in its history. */
  readonly lastChange: { readonly at: string; readonly change: string; readonly note: string | null } | null;
};

export type ConsoleLedger = {
  findQuotes(question: QuoteQuestion, limit: number): Promise<readonly RecordedQuote[]>;
};

export type QuoteQuestion =
  | { readonly nxq: string }
  | { readonly property: string; readonly checkIn?: string; readonly checkOut?: string };

/** For the audit log. No text in it is a caller's. */
export type ConsoleRecord = {
  readonly kind: 'console';
  readonly at: number;
  readonly action: ConsoleAction;
  /** A brand or an assistant. */
  readonly about: string | null;
};

export type ConsoleAction =
  | 'signed_in'
  | 'signed_out'
  | 'sign_in_refused'
  | 'paused'
  | 'resumed'
  | 'reading_requested'
  | 'suspended'
  | 'approved'
  | 'password_changed';
