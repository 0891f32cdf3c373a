import type { TestContext } from 'node:test';
import { type ClientOptions, createClient, type SendHttp } from '../../src/client/client.ts';
import { type Scene, setScene } from '../support/scene.ts';
import type { TestService } from '../support/test-service.ts';

/** A service in this process with a client of it; every answer is checked against the contract on its way. */
export async function setClientStage(
  t: TestContext,
  {
    scene: sceneOptions,
    between = (send) => send,
    ...options
  }: Partial<ClientOptions> & {
    readonly scene?: Parameters<typeof setScene>[1];
    /** What stands between client and service, such as a connection that breaks. */
    readonly between?: (send: SendHttp) => SendHttp;
  } = {},
): Promise<{ readonly scene: Scene; readonly client: ReturnType<typeof createClient> }> {
  const scene = await setScene(t, sceneOptions);
  const waits = createWaits();
  const client = createClient(
    { baseUrl: 'http://127.0.0.1', fetch: between(fetchFrom(scene.service)), ...options },
    { fetch: failing, random: () => 0, newKey: () => crypto.randomUUID(), after: waits.after },
  );
  return { scene, client };
}

/** `fetch` without a connection. */
export function fetchFrom(service: TestService): SendHttp {
  return async (url, init) => {
    const { status, headers, raw } = await service.call({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: url.replace(/^https?:\/\/[^/]+/, ''),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    });
    return new Response(raw, {
      status,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    });
  };
}

/** Waits before a repeat end at once; deadlines, which are longer, never pass. */
function createWaits() {
  return {
    after(delayMs: number, action: () => void): () => void {
      if (delayMs >= DEADLINE_MS) return () => {};
      let isCancelled = false;
      queueMicrotask(() => {
        if (!isCancelled) action();
      });
      return () => {
        isCancelled = true;
      };
    },
  };
}

const DEADLINE_MS = 30_000;
const failing: SendHttp = () => Promise.reject(new Error('no network in this test'));
