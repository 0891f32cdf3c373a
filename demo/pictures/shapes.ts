/** The few shapes that all pictures are made of, as SVG text. Every picture is 1200 wide and 800 high. */
export const WIDTH = 1200;
export const HEIGHT = 800;

type Look = {
  readonly opacity?: number;
  readonly radius?: number;
  readonly stroke?: string;
  readonly line?: number;
};

const number = (value: number) => String(Math.round(value * 10) / 10);

function look({ opacity, stroke, line }: Look): string {
  return `${opacity === undefined ? '' : ` opacity="${opacity}"`}${
    stroke === undefined ? '' : ` stroke="${stroke}" stroke-width="${line ?? 2}"`
  }`;
}

export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  looks: Look = {},
): string {
  const radius = looks.radius === undefined ? '' : ` rx="${looks.radius}"`;
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"${radius} fill="${fill}"${look(looks)}/>`;
}

export function disc(x: number, y: number, radius: number, fill: string, looks: Look = {}): string {
  return `<circle cx="${number(x)}" cy="${number(y)}" r="${number(radius)}" fill="${fill}"${look(looks)}/>`;
}

export function oval(
  x: number,
  y: number,
  across: number,
  down: number,
  fill: string,
  looks: Look = {},
): string {
  return `<ellipse cx="${number(x)}" cy="${number(y)}" rx="${number(across)}" ry="${number(down)}" fill="${fill}"${look(looks)}/>`;
}

/** A closed outline through the points. */
export function outline(
  points: readonly (readonly [number, number])[],
  fill: string,
  looks: Look = {},
): string {
  const corners = points.map(([x, y]) => `${number(x)},${number(y)}`).join(' ');
  return `<polygon points="${corners}" fill="${fill}"${look(looks)}/>`;
}

export function curve(path: string, fill: string, looks: Look = {}): string {
  return `<path d="${path}" fill="${fill}"${look(looks)}/>`;
}

/** A line along a path, with round ends. */
export function stroke(path: string, colour: string, line: number, opacity = 1): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${line}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"/>`;
}

/** A vertical gradient; `url(#id)` then is a fill. */
export function gradient(id: string, colours: readonly string[]): string {
  const stops = colours
    .map((colour, index) => {
      const offset = colours.length === 1 ? 0 : index / (colours.length - 1);
      return `<stop offset="${number(offset * 100)}%" stop-color="${colour}"/>`;
    })
    .join('');
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>`;
}

/** A soft glow that fades to nothing. */
export function glow(id: string, colour: string, strength: number): string {
  return `<radialGradient id="${id}"><stop offset="0%" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="100%" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
}

export function group(content: readonly string[], attributes = ''): string {
  return `<g${attributes === '' ? '' : ` ${attributes}`}>${content.join('')}</g>`;
}

export function picture(content: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${content.join('')}</svg>\n`;
}
