import { formatDay } from '../../src/stay/day.ts';
import { ASSISTANT_ADDRESSES } from './node-cluster.ts';
import type { ScriptedProperty } from './scripted-operator.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);

/** For nodes that go by the system's clock. */
export const CURRENT_STAY = {
  destination: 'lisbon-pt',
  check_in_day: formatDay(TODAY + 20),
  check_out: formatDay(TODAY + 23),
  guests: '2',
} as const;

export function currentlyFree(): ScriptedProperty['periods'] {
  return [{ from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' }];
}

export type NodeAnswer = {
  readonly status: number;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

/** Asks a node as an approved assistant does, on a connection of its own. */
export async function askNode(
  origin: string | undefined,
  path: string,
  { values, key }: { readonly values?: object; readonly key?: string } = {},
): Promise<NodeAnswer> {
  const answer = await fetch(`${origin}${path}`, {
    method: values ? 'POST' : 'GET',
    headers: {
      connection: 'close',
      'x-forwarded-for': ASSISTANT_ADDRESSES[0],
      ...(values && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(values && { body: JSON.stringify(values) }),
  });
  const raw = await answer.text();
  return { status: answer.status, raw, body: JSON.parse(raw) };
}

export async function openSession(origin: string | undefined): Promise<string> {
  const { body, raw } = await askNode(origin, '/ai/v1/auth', { values: {} });
  if (body.session === undefined) throw new Error(`no session was opened: ${raw}`);
  return body.session;
}
