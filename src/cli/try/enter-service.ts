import { type StaywireClient, StaywireError } from '../../client/client.ts';
import type { CliTools } from '../command.ts';
import { brandsOfService, type NetworkBrand } from './entry-page.ts';

/** Where a source is chosen: none stands for every brand. */
const EVERY_BRAND = '';

type EnteredService = {
  readonly token: string;
  readonly source: string | null;
  readonly brands: readonly NetworkBrand[];
};

/** Opens a session through the brand that is wanted; where there is none of that name, a person is asked which one was meant. */
export async function enterService(
  client: Pick<StaywireClient, 'open'>,
  url: string,
  wanted: string | null,
  {
    canAsk,
    tools: { terminal, sendHttp, signal },
  }: { readonly canAsk: boolean; readonly tools: Pick<CliTools, 'terminal' | 'sendHttp' | 'signal'> },
): Promise<EnteredService> {
  const enter = async (source: string | null) => ({
    token: (await client.open({ source, signal })).session,
    source,
    brands: await brandsOfService(url, { sendHttp, signal }),
  });
  try {
    return await enter(wanted);
  } catch (error) {
    const isUnknown = error instanceof StaywireError && error.code === 'unknown_source';
    const brands = isUnknown && canAsk ? await brandsOfService(url, { sendHttp, signal }) : [];
    if (brands.length === 0) throw error;
    const source = await terminal.ask({
      message: 'There is no such source. Which one?',
      option: '--source',
      choices: [
        { value: EVERY_BRAND, label: 'None: homes of every brand' },
        ...brands.map((brand) => ({ value: brand.source, label: brand.name })),
      ],
    });
    return enter(source === EVERY_BRAND ? null : source);
  }
}
