import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { PointedFault } from '../../../parsing/reading.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import type { BookingSystem, StillReading } from '../../../quotes/booking-system.ts';
import { type ConnectorDocumentation, type ConnectTools, createConnector } from '../../connector.ts';
import { type CredentialDescription, readCredentials } from '../account/account-credentials.ts';
import {
  type AccountEntry,
  type AccountEntryDefaults,
  type AccountSettings,
  accountEntryMembers,
  readAccountEntry,
} from '../account/account-entry.ts';

/** The connector of a vendor whose customers have accounts with secrets. */
export function createVendorConnector<
  const Kind extends string,
  const Members extends TProperties,
  Secret extends string,
  Own,
>({
  kind,
  defaults,
  members,
  documentation,
  credentials,
  canStateAllInTotals,
  read,
  connect,
}: {
  readonly kind: Kind;
  readonly defaults: AccountEntryDefaults;
  /** Members of the entry beside those of every account; one of the same name replaces it. */
  readonly members: Members;
  readonly documentation: Omit<ConnectorDocumentation, 'schemas'>;
  /** The secrets of an account. */
  readonly credentials: Readonly<Record<Secret, CredentialDescription>>;
  readonly canStateAllInTotals: boolean;
  /** Reads the vendor's own members. An optional secret that is missing is empty. */
  readonly read: (
    entry: Static<TObject<Members>>,
    secrets: Readonly<Record<Secret, string>>,
  ) => Reading<Own, PointedFault>;
  readonly connect: (connection: AccountSettings & Own, tools: ConnectTools) => BookingSystem;
}) {
  const secretNames = Object.keys(credentials) as Secret[];
  const { account, ...settings } = accountEntryMembers(defaults);
  const entry = Type.Object(
    // The order of the documentation: the vendor's members come before those of every account.
    { kind: Type.Literal(kind), account, ...members, ...settings, ...members },
    { additionalProperties: false },
  );
  return createConnector({
    entry,
    inventorySource: 'live_booking_system',
    documentation: { ...documentation, schemas: {} },
    credentials,
    canStateAllInTotals,
    read(checked, { env, sealedCredentials = new Map() }): Reading<AccountSettings & Own, PointedFault> {
      // The schema of the entry has checked both parts of it.
      const value = checked as AccountEntry & Static<TObject<Members>>;
      const secrets = readCredentials(value.account, secretNames, {
        env,
        sealed: sealedCredentials,
        optional: secretNames.filter((name) => credentials[name].isOptional),
      });
      if (secrets.kind === 'invalid') {
        return invalid(
          ...secrets.faults.map((message) => ({ pointer: '/account', message, isSecret: true }) as const),
        );
      }
      const ofAccount = readAccountEntry(value, defaults);
      if (ofAccount.kind === 'invalid') return ofAccount;
      const own = read(value, secrets.value);
      return own.kind === 'invalid' ? own : valid({ ...ofAccount.value, ...own.value });
    },
    connect: (connection, tools) => withPatientReads(connect(connection, tools)),
  });
}

/** A member with the cancellation policy, for vendors that do not send it. */
export function cancellationTextMember(description: string) {
  return Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description }));
}

/** The budget of an account may be used up for an hour, and a vendor may announce a longer pause. */
const MAX_WAIT_FOR_A_TURN_MS = 6 * 3_600_000;

/**
 * Marks the reads of a booking system with an account as patient: they wait for turns in the vendor's budget, and each call has its own
 * time limit, so silence does not mean that a read hangs.
 */
export function withPatientReads(system: BookingSystem): BookingSystem {
  return {
    ...system,
    limits: { ...system.limits, keepsBudget: true },
    catalogue: (signal, stillReading) => system.catalogue(signal, patient(stillReading)),
    calendars: (references, horizon, signal, stillReading) =>
      system.calendars(references, horizon, signal, patient(stillReading)),
  };
}

function patient(stillReading: StillReading = () => undefined): StillReading {
  const waits: StillReading = () => stillReading(MAX_WAIT_FOR_A_TURN_MS);
  waits();
  return waits;
}
