import type { CallOptions, ClientSettings, OpenClient, OperatorRequest } from './operator-client.ts';
import { failureOf, type OperatorAnswer, type Unchanged } from './read-answer.ts';

/** What is declared as JSON, as it came. */
export type JsonDocument = Pick<OperatorAnswer, 'kind' | 'bytes' | 'digest' | 'etag'>;

/** JSON to and from one server, with at most a token that never changes. */
export type JsonClient = {
  /** Only an answer to a request with an `etag` can be unchanged. A document comes with its digest. */
  get(
    path: string,
    options: CallOptions & { readonly etag?: string | null } & Pick<OperatorRequest, 'onAnswer'>,
  ): Promise<JsonDocument | Unchanged>;
  post(path: string, body: unknown, options: CallOptions): Promise<JsonDocument>;
  close(): Promise<void>;
};

export function createJsonClient({
  openClient,
  token,
  ...settings
}: ClientSettings & { readonly openClient: OpenClient; readonly token: string | null }): JsonClient {
  const client = openClient(settings);
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    async get(path, { etag, onAnswer, ...options }) {
      const condition: Record<string, string> = etag ? { 'if-none-match': etag } : {};
      const headers = { ...authorization, ...condition };
      const request: OperatorRequest = { method: 'GET', path, headers, withDigest: true };
      const answer = await client.send(onAnswer ? { ...request, onAnswer } : request, options);
      if (answer.kind === 'unchanged' && !etag) throw failureOf(304);
      return answer;
    },
    async post(path, body, options) {
      const headers = { ...authorization, 'content-type': 'application/json' };
      const answer = await client.send(
        { method: 'POST', path, body: JSON.stringify(body), headers },
        options,
      );
      if (answer.kind === 'unchanged') throw failureOf(304);
      return answer;
    },
    close: () => client.close(),
  };
}
