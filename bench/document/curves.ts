import { decades, exactly } from './log-scale.ts';

export type Curve = {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

export type CurvesPicture = {
  readonly title: string;
  /** For whoever cannot see it. */
  readonly description: string;
  /** With its unit, like everything on the axes. */
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xText: (x: number) => string;
  readonly yText: (y: number) => string;
  readonly curves: readonly Curve[];
};

const WIDTH = 960;
const HEIGHT = 500;
const LEFT = 96;
const RIGHT = 690;
const TOP = 64;
const BOTTOM = 430;
const LINE_HEIGHT = 20;

/** For each curve: its colour on light and on dark ground. */
const COLOURS = [
  ['#1f6f63', '#5fc9b8'],
  ['#b0722e', '#e8a85c'],
  ['#3d5a80', '#8fb3e0'],
  ['#8a3d5a', '#e08fb0'],
  ['#5a6b1f', '#b8cc66'],
  ['#6b4fa0', '#bda4f0'],
] as const;

/** Curves over logarithmic axes as an SVG that follows the reader's choice of light or dark. */
export function drawCurves({
  title,
  description,
  xTitle,
  yTitle,
  xText,
  yText,
  curves,
}: CurvesPicture): string {
  if (curves.length > COLOURS.length) throw new RangeError(`only ${COLOURS.length} curves have a colour`);
  const points = curves.flatMap((curve) => curve.points);
  const xAxis = exactly(
    points.map(({ x }) => x),
    LEFT,
    RIGHT,
  );
  const yAxis = decades(
    points.map(({ y }) => y),
    BOTTOM,
    TOP,
  );
  const middle = (LEFT + RIGHT) / 2;
  const labels = apart(curves.map((curve) => yAxis.at(curve.points.at(-1)?.y ?? yAxis.ticks[0] ?? 1)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="ui-sans-serif, system-ui, Helvetica, Arial, sans-serif" font-size="14" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title><desc id="d">${escaped(description)}</desc>`,
    `<style>${style(curves.length)}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="14" class="ground"/>`,
    `<text x="${LEFT}" y="36" font-size="17" font-weight="600">${escaped(title)}</text>`,
    ...yAxis.ticks.flatMap((tick) => [
      `<line x1="${LEFT}" x2="${RIGHT}" y1="${pixel(yAxis.at(tick))}" y2="${pixel(yAxis.at(tick))}" class="grid"/>`,
      `<text x="${LEFT - 10}" y="${pixel(yAxis.at(tick) + 5)}" text-anchor="end">${escaped(yText(tick))}</text>`,
    ]),
    ...xAxis.ticks.flatMap((tick) => [
      `<line x1="${pixel(xAxis.at(tick))}" x2="${pixel(xAxis.at(tick))}" y1="${TOP}" y2="${BOTTOM}" class="grid"/>`,
      `<text x="${pixel(xAxis.at(tick))}" y="${BOTTOM + 24}" text-anchor="middle">${escaped(xText(tick))}</text>`,
    ]),
    `<text x="${middle}" y="${BOTTOM + 52}" text-anchor="middle">${escaped(xTitle)}</text>`,
    `<text transform="translate(24 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(yTitle)}</text>`,
    ...curves.flatMap(({ name, points: own }, number) => [
      `<polyline class="line c${number}" points="${own.map(({ x, y }) => `${pixel(xAxis.at(x))},${pixel(yAxis.at(y))}`).join(' ')}"/>`,
      ...own.map(
        ({ x, y }) =>
          `<circle class="dot c${number}" cx="${pixel(xAxis.at(x))}" cy="${pixel(yAxis.at(y))}" r="4"/>`,
      ),
      `<text class="name c${number}" x="${RIGHT + 14}" y="${pixel((labels[number] ?? 0) + 5)}">${escaped(name)}</text>`,
    ]),
    '</svg>\n',
  ].join('\n');
}

function style(curves: number): string {
  const rules = (dark: 0 | 1) =>
    COLOURS.slice(0, curves)
      .map((colours, number) => `.c${number}{--c:${colours[dark]}}`)
      .join('');
  return (
    `.ground{fill:#fbf8f3}text{fill:#22313a}.grid{stroke:#22313a;stroke-opacity:.16}` +
    `.line{fill:none;stroke:var(--c);stroke-width:2.5;stroke-linejoin:round}.dot{fill:var(--c)}.name{fill:var(--c);font-weight:600}` +
    rules(0) +
    `@media (prefers-color-scheme: dark){.ground{fill:#161b20}text{fill:#dfe6ea}.grid{stroke:#dfe6ea}.name{fill:var(--c)}${rules(1)}}`
  );
}

/** Where names stand beside the ends of their curves: no two on one line, and none below the picture. */
function apart(wanted: readonly number[]): readonly number[] {
  const fromTop = wanted.map((at, number) => ({ at, number })).sort((one, other) => one.at - other.at);
  const result: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, number } of fromTop) {
    last = Math.max(at, last + LINE_HEIGHT);
    result[number] = last;
  }
  let next = BOTTOM + LINE_HEIGHT;
  for (const { number } of fromTop.toReversed()) {
    next = Math.min(result[number] ?? next, next - LINE_HEIGHT);
    result[number] = next;
  }
  return result;
}

function pixel(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
