/** What a brand is called until somebody says otherwise: `harbor-homes` becomes `Harbor Homes`. */
export function titleOf(brand: string): string {
  return brand.replaceAll('-', ' ').replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}
