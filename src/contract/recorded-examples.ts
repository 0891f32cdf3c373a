import type { OperationName } from './operations.ts';
import recorded from './recorded-examples.json' with { type: 'json' };

/** A request and the answer that a running service gave to it. */
export type RecordedExample = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  readonly name: string;
  readonly summary: string;
  readonly request: { readonly url: string; readonly body: object | null };
  readonly status: number;
  readonly answer: object;
};

// The compiler's own type of the file has every member of every answer in it.
const EXAMPLES: readonly RecordedExample[] = recorded as readonly object[] as readonly RecordedExample[];

/** In the order in which they were recorded: the usual call comes first. */
export function examplesOf(operation: OperationName, method: 'GET' | 'POST'): readonly RecordedExample[] {
  return EXAMPLES.filter((example) => example.operation === operation && example.method === method);
}
