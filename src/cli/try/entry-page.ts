import type { SendHttp } from '../../client/client.ts';

export type NetworkBrand = { readonly source: string; readonly name: string };

/** The brands that a service names on its entry page; none when the page cannot be read, which a search can do without. */
export async function brandsOfService(
  url: string,
  { sendHttp, signal }: { readonly sendHttp: SendHttp; readonly signal: AbortSignal },
): Promise<readonly NetworkBrand[]> {
  try {
    const answer = await sendHttp(new URL('/', url).href, {
      headers: { accept: 'application/json' },
      signal,
    });
    const page: unknown = await answer.json();
    const sources: unknown = Reflect.get(Object(page), 'sources');
    return Array.isArray(sources) ? sources.flatMap(brandIn) : [];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function brandIn(entry: unknown): readonly NetworkBrand[] {
  const { source, name }: { source?: unknown; name?: unknown } = Object(entry);
  return typeof source === 'string' && typeof name === 'string' ? [{ source, name }] : [];
}
