import { request } from 'undici';

const REVISION = '2026-07-28';

export type McpExchange = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

type MessageOptions = {
  readonly id?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly capabilities?: object;
};

/** A message of revision 2026-07-28, which is complete in itself, with the headers that go with it. */
export function mcpMessage(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { id = 1, meta = {}, capabilities = {} }: MessageOptions = {},
): { readonly headers: Record<string, string>; readonly body: object } {
  const name = params.name ?? params.uri;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta,
        },
      },
    },
  };
}

export function toolMessage(name: string, args: object, options: MessageOptions = {}) {
  return mcpMessage('tools/call', { name, arguments: args }, options);
}

/** Sent as it is: further headers win over those of the message, and a text is sent as the body that it is. */
export async function sendToMcp(
  origin: string,
  { headers, body }: { readonly headers: Record<string, string>; readonly body: object | string },
  more: Record<string, string> = {},
  method: 'POST' | 'GET' | 'DELETE' | 'PUT' | 'OPTIONS' = 'POST',
): Promise<McpExchange> {
  const response = await request(`${origin}/mcp`, {
    method,
    headers: { ...headers, ...more },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.body.text();
  const isJson = text !== '' && String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
