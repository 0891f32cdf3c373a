import assert from 'node:assert/strict';
import type { TestAnswer, TestService } from './test-service.ts';

/** Three nights in Lisbon for two. */
export const STAY = {
  destination: 'lisbon-pt',
  check_in_month: '2027-04',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
} as const;

export type Conversation = {
  readonly token: string;
  /** The answer to auth. */
  readonly opened: TestAnswer;
  /** The address of its search, with additional parameters. */
  address(parameters?: Record<string, string>): string;
  /** POST to search. */
  send(body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  /** GET of search: reads the step, or supplies a value. */
  read(parameters?: Record<string, string>): Promise<TestAnswer>;
  result(): Promise<TestAnswer>;
  /** Supplies every field at once and expects a result. */
  search(changes?: Record<string, unknown>): Promise<TestAnswer>;
};

export async function converse(
  service: TestService,
  source: string | null = null,
  headers: Record<string, string> = {},
): Promise<Conversation> {
  const opened = await service.post('/ai/v1/auth', source === null ? {} : { source }, headers);
  assert.equal(opened.status, 200, opened.raw);
  const token: string = opened.body.session;
  const address = (parameters: Record<string, string> = {}) =>
    `/ai/v1/search?${new URLSearchParams({ session: token, ...parameters })}`;
  const send = (body: unknown, more: Record<string, string> = {}) =>
    service.post(address(), body, { ...headers, ...more });
  return {
    token,
    opened,
    address,
    send,
    read: (parameters) => service.get(address(parameters), headers),
    result: () => service.get(`/ai/v1/result?session=${token}`, headers),
    async search(changes = {}) {
      const answer = await send({ ...(source === null ? {} : { brand_locked: true }), ...STAY, ...changes });
      assert.equal(answer.body.object, 'search_result', answer.raw);
      return answer;
    },
  };
}
