import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { HttpClient, HttpRequest } from '../../../outbound/http-client.ts';
import { failureOf, type HttpAnswer, type ReadHeader } from '../../../outbound/read-answer.ts';
import type { QuoteRequest, StillReading } from '../../../quotes/booking-system.ts';
import type { ConnectTools } from '../../connector.ts';
import { createAccountClient, type VendorConventions } from '../account/account-client.ts';
import type { AccountSettings } from '../account/account-entry.ts';
import type { AccountTerms } from '../account/accounts.ts';
import { vendorFailureOf } from '../account/vendor-failure.ts';
import type { IntakeItem, IntakeParameters, IntakeSummary, IntakeTaskName } from '../intake/intake.ts';

/**
 * Calls to a vendor in the name of an account. The intake reads each answer, and the caller gets the items. All reject with a
 * `BookingSystemFailure`.
 */
export type VendorCalls = {
  read<Name extends IntakeTaskName>(call: VendorCall<Name>): Promise<VendorAnswer<Name>>;
  /** Undefined when the vendor answers with one of these statuses; that answer is not read. */
  readUnless<Name extends IntakeTaskName>(
    statuses: readonly number[],
    call: VendorCall<Name>,
  ): Promise<VendorAnswer<Name> | undefined>;
};

/** Shared by the calls of one reading. */
export type CallPass = {
  readonly signal: AbortSignal;
  /** Left out for a call in the background. */
  readonly live?: LiveCall | undefined;
  readonly stillReading?: StillReading | undefined;
};

/** A call for which a traveller waits, within the time for a price. */
export type LiveCall = Pick<QuoteRequest, 'askedBy'>;

export type VendorCall<Name extends IntakeTaskName> = CallPass &
  Pick<HttpRequest, 'path' | 'headers' | 'body'> & {
    readonly method?: HttpRequest['method'];
    readonly task: Name;
    /** A function if they depend on the status of the answer. */
    readonly parameters: IntakeParameters<Name> | ((status: number) => IntakeParameters<Name>);
    readonly maxBytes: number;
    /** Statuses besides 200 whose answer is read. */
    readonly statuses?: readonly number[];
    /** Called with the size of the answer before it is read; throws to refuse it. */
    readonly sent?: (bytes: number) => void;
    /** Gets the items as they are read, with their weight; `items` stays empty then. */
    readonly take?: (items: readonly IntakeItem<Name>[], weight: number) => void;
  };

export type VendorAnswer<Name extends IntakeTaskName> = {
  readonly items: readonly IntakeItem<Name>[];
  readonly summary: IntakeSummary<Name>;
  readonly status: number;
  readonly header: ReadHeader;
  /** The size of the answer. */
  readonly bytes: number;
};

const BACKGROUND_TIMEOUT_MS = 30_000;

/** Opens the account of a connection: its calls, and the members that a booking system passes on unchanged. */
export function openVendorAccount(
  { account: name, baseUrl, windows, limits }: AccountSettings,
  { context: { brand }, openAccount, intake }: ConnectTools,
  {
    client: server,
    conventions,
    headers: ofEveryCall = {},
    ...terms
  }: Omit<AccountTerms, 'name' | 'baseUrl' | 'windows' | 'readBudget'> & {
    readonly client: HttpClient;
    readonly conventions: VendorConventions;
    readonly headers?: Readonly<Record<string, string>>;
  },
) {
  const account = openAccount({ ...terms, name, baseUrl, windows, readBudget: conventions.readBudget });
  const { restsForMs, budgetUse } = account;
  const client = createAccountClient({ client: server, ...account, conventions });

  function send<Name extends IntakeTaskName>({
    method = 'GET',
    path,
    headers,
    body,
    maxBytes,
    signal,
    live,
    statuses = [],
  }: VendorCall<Name>): Promise<HttpAnswer> {
    return client.send(
      {
        method,
        path,
        headers: { ...ofEveryCall, ...headers },
        ...(body === undefined ? {} : { body }),
        statuses,
      },
      {
        urgency: live ? 'live' : 'background',
        timeoutMs: live ? limits.timeoutMs : BACKGROUND_TIMEOUT_MS,
        maxBytes,
        signal,
        askedBy: live?.askedBy,
      },
    );
  }

  async function readIn<Name extends IntakeTaskName>(
    { status, header, bytes: document }: HttpAnswer,
    { task, parameters, signal, live, sent, take, stillReading }: VendorCall<Name>,
  ): Promise<VendorAnswer<Name>> {
    stillReading?.();
    const bytes = document.byteLength;
    sent?.(bytes);
    const items: IntakeItem<Name>[] = [];
    const reading = intake.run({
      task,
      lane: live ? 'live' : 'background',
      brand,
      document,
      parameters: typeof parameters === 'function' ? parameters(status) : parameters,
      signal,
      take:
        take ??
        ((some) => {
          for (const item of some) items.push(item);
        }),
    });
    const { summary } = await reading.catch((failure: unknown) => {
      // An error in an unexpected format: its status says more than its text.
      throw status === 200 ? failure : failureOf(status);
    });
    return { items, summary, status, header, bytes };
  }

  async function read<Name extends IntakeTaskName>(call: VendorCall<Name>): Promise<VendorAnswer<Name>> {
    try {
      return await readIn(await send(call), call);
    } catch (error) {
      throw vendorFailureOf(error, call.signal);
    }
  }

  const calls: VendorCalls = {
    read,
    async readUnless(statuses, call) {
      try {
        return await read(call);
      } catch (failure) {
        // By the status in the failure, so that a replayed failure counts like the original.
        if (failure instanceof BookingSystemFailure && statuses.some((status) => status === failure.status))
          return undefined;
        throw failure;
      }
    },
  };
  return { calls, brand, limits, restsForMs, budgetUse, close: () => client.close() };
}

/** The end of a page. */
export type PageEnd = {
  readonly isLast: boolean;
  /** Unique to the page, such as its first record; null or left out when there is no such value. */
  readonly mark?: string | null;
};

/** Reads pages, counted from 0, one after the other. Guards against vendors that send pages without end, or one page again. */
export async function readPages(
  { of: name, max }: { readonly of: string; readonly max: number },
  readPage: (page: number) => Promise<PageEnd>,
): Promise<void> {
  const marks = new Set<string>();
  for (let page = 0; page < max; page += 1) {
    const { isLast, mark = null } = await readPage(page);
    if (mark !== null && marks.has(mark)) {
      throw new BookingSystemFailure('garbled', `the pages of the ${name} form a loop`);
    }
    if (isLast) return;
    if (mark !== null) marks.add(mark);
  }
  throw new BookingSystemFailure('too_large', `there are more than ${max} pages of ${name}`);
}
