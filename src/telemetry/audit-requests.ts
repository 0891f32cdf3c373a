import type { Clock } from '../clock.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import { operationAt } from '../contract/operations.ts';
import type { FinishedRequest, RequestObserver } from '../requests/request-observer.ts';
import type { AuditRecord, RecordAudit, RequestEntry } from './audit/audit-record.ts';

/** Also writes down who did what, for requests that need access. Of public pages it writes nothing. */
export function withRequestsRecorded(
  observer: RequestObserver,
  record: RecordAudit,
  clock: Pick<Clock, 'now'>,
): RequestObserver {
  return {
    ...observer,
    finished(request) {
      observer.finished(request);
      const entry = auditEntry(request);
      if (entry) record({ at: clock.now(), ...entry } satisfies AuditRecord);
    },
  };
}

/** Only what is ours: identifiers, codes and names of a closed set. Addresses, paths and headers stay out. */
function auditEntry({ access, ...request }: FinishedRequest): RequestEntry | null {
  if (!access) return null;
  const { tools, status, error, requestId } = request;
  return {
    kind: 'request',
    who: access.assistant === null ? null : { assistant: access.assistant, way: access.way },
    what: addressed(request),
    ...(tools.length > 0 ? { tools } : {}),
    status,
    outcome: access.kind === 'refused' ? access.cause : (error ?? 'done'),
    request: requestId,
  };
}

/** A request that was refused counts for no operation, but was addressed to one. */
function addressed({ operation, path }: Pick<FinishedRequest, 'operation' | 'path'>): string {
  if (operation !== 'other') return operation;
  return path === MCP_SERVER.path ? 'mcp' : (operationAt(path) ?? operation);
}
