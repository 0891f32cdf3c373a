import type { StatusOutcome } from '../access/registry/change-registry.ts';
import type { AssistantEntry } from '../access/registry/registry-file.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import type { MakeReport } from '../analytics/reports/report.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { ServeOperation } from '../requests/serve-operation.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { OperatorHealth } from '../sync/operator-controls.ts';
import type { ConsoleEntry } from '../telemetry/audit/audit-record.ts';
import type { ConsolePage } from './layout.ts';
import type { AccountBehind, OwnerSession } from './owner-sessions.ts';
import type { StoredPassword } from './sign-in.ts';

/** A route for the signed-in owner: the session and the form token are checked before `serve` is called. */
export type ConsoleRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  serve(request: ConsoleRequest): Promise<ConsoleAnswer> | ConsoleAnswer;
};

/** The parts of a request that a route sees. */
export type ConsoleRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly form: URLSearchParams;
  readonly session: OwnerSession;
  /** Sent by a page that updates itself. */
  readonly isLive: boolean;
};

export type ConsoleAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
};

export function seeOther(location: string, headers: ConsoleAnswer['headers'] = {}): ConsoleAnswer {
  return { status: 303, headers: { location, ...headers }, body: '' };
}

export function csvFile(name: string, body: string): ConsoleAnswer {
  const type = 'text/csv; charset=utf-8';
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="${name}"`, 'content-type': type },
    body,
  };
}

/** Creates answers with a page of the console. */
export type Pages = {
  readonly show: (page: ConsolePage, request: ConsoleRequest, status?: number) => ConsoleAnswer;
  readonly notFound: (request: ConsoleRequest) => ConsoleAnswer;
};

/** The dependencies of the console. */
export type ConsoleDeps = {
  /** The name of the network. */
  readonly network: string;
  readonly brands: readonly ConsoleBrand[];
  /** The name of a place; undefined for one that is not on the network. */
  readonly placeName: (id: string) => string | undefined;
  /** The current name of a home; undefined if it is no longer in a catalogue. */
  readonly homeName: (property: PropertyId) => string | undefined;
  /** Undefined for an assistant that is no longer registered. */
  readonly assistantName: (id: string) => string | undefined;
  /** The host on which the console listens; requests may name it. */
  readonly host: string;
  readonly makeReport: MakeReport;
  readonly operators: ConsoleOperators;
  readonly assistants: ConsoleAssistants;
  readonly ledger: Pick<QuoteLedger, 'findQuotes'>;
  readonly outcomes: Pick<BookingOutcomes, 'ofQuote'>;
  readonly serveOperation: ServeOperation;
  /** The stored password; null until it is set. */
  readonly password: StoredPassword;
  readonly accountBehind: AccountBehind;
  readonly audit: (entry: ConsoleEntry) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: { error(members: object, message: string): void };
};

export type ConsoleBrand = { readonly id: BrandId; readonly name: string };

type ConsoleOperators = {
  health(): Promise<readonly OperatorHealth[]>;
  /** Once it resolves, no search of this node finds the brand's homes. Resolves with false if it was paused already; `resume` likewise. */
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
  /** False for the callers of trusted networks, which a setting admits and no registry lists. */
  readonly isListed: boolean;
  /** The ways of recognition, in a few words each. */
  readonly ways: readonly string[];
  /** The last change in its history. */
  readonly lastChange: { readonly at: string; readonly change: string; readonly note: string | null } | null;
};
