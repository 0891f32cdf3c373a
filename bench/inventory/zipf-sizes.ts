/**
 * Sizes that fall with their rank as those of cities do: `biggest / rank ** exponent`, with the exponent at which they add up
 * to the total. Rounded so that none is lost.
 */
export function zipfSizes(total: number, ranks: number, biggest: number): readonly number[] {
  if (biggest * ranks < total) throw new RangeError(`${ranks} places of ${biggest} cannot hold ${total}`);
  let [flat, steep] = [0, 8];
  for (let round = 0; round < 60; round += 1) {
    const middle = (flat + steep) / 2;
    if (sumOf(middle) > total) flat = middle;
    else steep = middle;
  }
  let [sum, used] = [0, 0];
  return Array.from({ length: ranks }, (_, index) => {
    sum += biggest / (index + 1) ** steep;
    const size = Math.round(sum) - used;
    used += size;
    return size;
  });

  function sumOf(exponent: number): number {
    let all = 0;
    for (let rank = 1; rank <= ranks; rank += 1) all += biggest / rank ** exponent;
    return all;
  }
}
