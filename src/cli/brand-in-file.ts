import type { BrandInFile } from './edit-network-file.ts';

/** Stands for hosts that are not known yet; no address is on it. */
const NO_HOST = 'nowhere.invalid';

type WebsiteInFile = { readonly hosts?: unknown; readonly stay_url?: unknown };

function websiteOf(brand: BrandInFile | undefined): WebsiteInFile {
  return (brand?.website ?? {}) as WebsiteInFile;
}

/** The hosts that the brand has in the file already. */
export function hostsBefore(brand: BrandInFile | undefined): readonly string[] {
  const { hosts } = websiteOf(brand);
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string' && host !== NO_HOST) : [];
}

export function stayUrlBefore(brand: BrandInFile | undefined): string | undefined {
  const { stay_url: address } = websiteOf(brand);
  return typeof address === 'string' ? address : undefined;
}

/** What the brand calls cities, as its entry maps them. */
export function placesBefore(brand: BrandInFile | undefined): Readonly<Record<string, unknown>> {
  return { ...(brand?.places as Readonly<Record<string, unknown>> | undefined) };
}

/** What else the website has stays. */
export function withWebsite(
  brand: BrandInFile,
  { hosts, stayUrl }: { readonly hosts: readonly string[]; readonly stayUrl?: string | undefined },
): BrandInFile {
  return {
    ...brand,
    website: {
      ...websiteOf(brand),
      hosts: hosts.length > 0 ? hosts : [NO_HOST],
      ...(stayUrl === undefined ? {} : { stay_url: stayUrl }),
    },
  };
}

/** Adds what the operator calls cities to what the entry maps already. */
export function withPlaces(brand: BrandInFile, aliases: Readonly<Record<string, string>>): BrandInFile {
  const places = { ...placesBefore(brand), ...aliases };
  return Object.keys(places).length > 0 ? { ...brand, places } : brand;
}
