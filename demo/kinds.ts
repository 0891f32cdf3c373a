/** The kinds of homes, with their sizes and price factors. */
export type Kind = {
  readonly word: string;
  readonly bedrooms: readonly [from: number, to: number];
  readonly squareMetres: number;
  readonly priceFactor: number;
};

export const KINDS = {
  studio: { word: 'studio', bedrooms: [0, 0], squareMetres: 31, priceFactor: 0.74 },
  apartment: { word: 'apartment', bedrooms: [1, 3], squareMetres: 34, priceFactor: 1 },
  loft: { word: 'loft', bedrooms: [1, 2], squareMetres: 48, priceFactor: 1.16 },
  penthouse: { word: 'penthouse', bedrooms: [2, 3], squareMetres: 52, priceFactor: 1.62 },
  townhouse: { word: 'town house', bedrooms: [2, 4], squareMetres: 46, priceFactor: 1.22 },
  cottage: { word: 'cottage', bedrooms: [1, 3], squareMetres: 38, priceFactor: 1.08 },
  house: { word: 'house', bedrooms: [3, 5], squareMetres: 44, priceFactor: 1.12 },
  villa: { word: 'villa', bedrooms: [4, 6], squareMetres: 58, priceFactor: 1.48 },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** Relative to a night for two in one bedroom; every further bedroom adds less than the one before. */
export function priceFactorOf(kind: Kind, bedrooms: number): number {
  return kind.priceFactor * (bedrooms <= 1 ? 1 : 1 + 0.46 * (bedrooms - 1) ** 0.92);
}
