import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

/** By the beginning of PostgreSQL's code, the longest first. */
const KIND_OF_STATE: readonly (readonly [string, StorageFailureKind])[] = [
  ['53100', 'full'], // disk_full
  ['58030', 'input_output'], // io_error
  ['08', 'unreachable'], // connection_exception
  ['53', 'unreachable'], // insufficient_resources, such as too many connections
  ['57', 'unreachable'], // operator_intervention: shut down, starting up, cancelled after its time
  ['25P03', 'unreachable'], // idle_in_transaction_session_timeout
  ['25006', 'unreachable'], // read_only_sql_transaction: a standby that was not promoted yet
  ['40', 'busy'], // transaction_rollback: a deadlock, or changes at the same time
  ['55P03', 'busy'], // lock_not_available
  ['28', 'refused'], // invalid_authorization_specification: a wrong user or password
  ['3D', 'refused'], // invalid_catalog_name: there is no such database
  ['42501', 'refused'], // insufficient_privilege
  ['23', 'refused'], // integrity_constraint_violation
  ['XX', 'corrupt'], // internal_error, data_corrupted
];
/** What pg says without a code. It has no type for these. */
const CONNECTION_LOST = /terminated|timeout|not queryable|Client was closed|connection/i;
const SYSTEM_CODE = /^E[A-Z]+$/;

/** Faults of the program itself, such as a wrong statement, are passed on as they are. */
export function asPostgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageFailure) return error;
  const kind = kindOf(error);
  return kind === undefined
    ? error
    : new StorageFailure(kind, `PostgreSQL: ${error.message}.`, { cause: error });
}

/** Whether the state of the connection is unknown, so that nobody may use it again. */
export function breaksConnection(error: unknown): boolean {
  const failure = asPostgresFailure(error);
  return failure instanceof StorageFailure && failure.kind === 'unreachable';
}

function kindOf(error: Error): StorageFailureKind | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (SYSTEM_CODE.test(code) && code.length !== 5) return 'unreachable';
  const known = KIND_OF_STATE.find(([state]) => code.startsWith(state));
  if (known) return known[1];
  if (code === '')
    return CONNECTION_LOST.test(error.message) || error instanceof AggregateError ? 'unreachable' : undefined;
  return 'errno' in error ? 'unreachable' : undefined;
}
