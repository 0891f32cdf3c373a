export type Saturation = { readonly width: number; readonly rate: number };

/** A wider load has to bring so much more, or it only waits longer. */
const WORTHWHILE = 1.05;

/** The width from which on a wider load brings no more, and its rate; the widest that was tried where each brought more. */
export async function findSaturation(
  widths: readonly number[],
  rateAt: (width: number) => Promise<number>,
): Promise<Saturation> {
  let best: Saturation = { width: widths[0] ?? 1, rate: 0 };
  for (const width of widths) {
    const rate = await rateAt(width);
    if (rate < best.rate * WORTHWHILE) break;
    best = { width, rate };
  }
  return best;
}
