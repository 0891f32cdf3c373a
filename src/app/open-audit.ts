import type { AssistantRegistry } from '../access/registry/assistant-registry.ts';
import type { Clock } from '../clock.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import { auditDirectory } from '../telemetry/audit/audit-files.ts';
import { openAuditLog } from '../telemetry/audit/audit-log.ts';
import type { AuditEntry, AuditRecord, RecordAudit } from '../telemetry/audit/audit-record.ts';
import { createAuditRecorder, registryChanges } from '../telemetry/audit/audit-recorder.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createAuditLogObserver } from '../telemetry/observers.ts';
import type { Settings } from './settings.ts';

/** The audit log of a node, for the thread that writes it. */
export type Audit = {
  /** For requests that this thread answers. */
  readonly record: RecordAudit;
  /** Takes the records of other threads. */
  readonly write: (records: readonly AuditRecord[]) => void;
  registryChanged(before: AssistantRegistry, after: AssistantRegistry): void;
  /** A published list is used again, or is not used any more because it is too old. */
  listTurned(list: string, state: 'on' | 'off'): void;
  close(): Promise<void>;
};

/** Null where the owner has turned it off, and for a store in memory. */
export function openAudit({
  settings,
  registry,
  node,
  clock,
  log,
  metrics,
}: {
  readonly settings: Pick<Settings, 'auditDays' | 'maxAuditMegabytes' | 'store' | 'dataDirectory'>;
  readonly registry: AssistantRegistry;
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}): Audit | null {
  const { auditDays, maxAuditMegabytes, store, dataDirectory } = settings;
  if (auditDays === null || store === 'memory') return null;
  const { write, close } = openAuditLog({
    directory: auditDirectory(dataDirectory),
    days: auditDays,
    ...(maxAuditMegabytes !== null && { maxBytes: maxAuditMegabytes * 1024 * 1024 }),
    clock,
    observe: createAuditLogObserver({ metrics, log }),
  });
  const recorder = createAuditRecorder({ clock, send: write });
  const append = (entry: AuditEntry) => recorder.record({ at: clock.now(), ...entry });
  append({ kind: 'started', node, version: SOFTWARE_VERSION });
  for (const changes of registryChanges([], registry.assistants)) {
    append({ kind: 'registry', changes, start: true });
  }
  return {
    record: recorder.record,
    write,
    registryChanged(before, after) {
      for (const changes of registryChanges(before.assistants, after.assistants)) {
        append({ kind: 'registry', changes });
      }
    },
    listTurned: (list, state) => append({ kind: 'published_list', list, state }),
    async close() {
      append({ kind: 'stopped' });
      recorder.close();
      await close();
    },
  };
}
