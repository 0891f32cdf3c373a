/** The revision of MCP Apps that the card speaks. */
const PROTOCOL_VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32601;

type RequestId = number | string;
type Params = Readonly<Record<string, unknown>>;
type HostMessage = {
  readonly jsonrpc?: unknown;
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: unknown;
};

/** The host's settings and the traveller's. A change contains only the changed members. */
export type HostContext = {
  readonly theme?: unknown;
  readonly locale?: unknown;
  readonly timeZone?: unknown;
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly safeAreaInsets?: Readonly<Record<'top' | 'right' | 'bottom' | 'left', unknown>>;
};

export type HostEvents = {
  readonly connected: (context: HostContext) => void;
  readonly contextChanged: (change: HostContext) => void;
  readonly toolCalled: () => void;
  readonly toolAnswered: (result: unknown) => void;
  readonly toolCancelled: () => void;
  /** The host is about to remove the card. */
  readonly closing: () => void;
};

export type HostConnection = {
  /** False when the host refuses to open links, or this one. */
  openLink(url: string): Promise<boolean>;
  passesCalls(): boolean;
  /** The result of a tool of the server; undefined where the host forwards no calls, or the call failed. */
  callTool(name: string, args: Params): Promise<unknown>;
  reportSize(size: { readonly width: number; readonly height: number }): void;
};

/** The app's side of MCP Apps: JSON-RPC messages between this window and its parent. */
export function connectToHost(events: HostEvents): HostConnection {
  const answers = new Map<RequestId, (message: HostMessage) => void>();
  let opensLinks = false;
  let passesCallsOn = false;
  let lastId = 0;

  // The sandbox has no origin and does not know the host's.
  const send = (message: Params) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method: string, params: Params) => send({ method, params });
  const request = (method: string, params: Params) =>
    new Promise<HostMessage>((resolve) => {
      lastId += 1;
      answers.set(lastId, resolve);
      send({ id: lastId, method, params });
    });

  const notifications: Readonly<Record<string, (params: Params) => void>> = {
    'ui/notifications/tool-input': () => events.toolCalled(),
    'ui/notifications/tool-result': (result) => events.toolAnswered(result),
    'ui/notifications/tool-cancelled': () => events.toolCancelled(),
    'ui/notifications/host-context-changed': (change) => events.contextChanged(change),
  };
  const requests: Readonly<Record<string, () => void>> = {
    ping: () => {},
    'ui/resource-teardown': () => events.closing(),
  };

  const receive = (message: HostMessage) => {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      if (id === undefined) return;
      answers.get(id)?.(message);
      answers.delete(id);
    } else if (id === undefined) {
      notifications[method]?.(params);
    } else if (Object.hasOwn(requests, method)) {
      requests[method]?.();
      send({ id, result: {} });
    } else {
      send({ id, error: { code: METHOD_NOT_FOUND, message: `The card has no ${method}.` } });
    }
  };

  window.addEventListener('message', ({ source, data }: MessageEvent<HostMessage | null>) => {
    if (source === window.parent && data?.jsonrpc === '2.0') receive(data);
  });

  const initialise = async () => {
    const { result } = await request('ui/initialize', {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name: 'staywire-comparison', title: 'Staywire comparison', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    });
    if (result === undefined) return;
    const abilities = result.hostCapabilities as Params | undefined;
    opensLinks = abilities?.openLinks !== undefined;
    passesCallsOn = abilities?.serverTools !== undefined;
    events.connected((result.hostContext as HostContext | undefined) ?? {});
    notify('ui/notifications/initialized', {});
  };
  void initialise();

  return {
    async openLink(url) {
      if (!opensLinks) return false;
      const { result } = await request('ui/open-link', { url });
      return result !== undefined && result.isError !== true;
    },
    passesCalls: () => passesCallsOn,
    async callTool(name, args) {
      if (!passesCallsOn) return undefined;
      const { result } = await request('tools/call', { name, arguments: args });
      return result?.isError === true ? undefined : result;
    },
    reportSize: (size) => notify('ui/notifications/size-changed', size),
  };
}
