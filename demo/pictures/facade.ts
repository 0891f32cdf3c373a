import type { Character } from '../cities.ts';
import type { Seeded } from '../seeded.ts';
import { BUILDING_STYLES, type Facade } from './building-styles.ts';
import { inLight, type Light } from './light.ts';
import { drawFloor, drawLamp } from './openings.ts';
import { box, curve, disc, outline, oval, stroke } from './shapes.ts';

/** The front of a house: walls, windows, door and roof in the style of the city. */
export function pickFacade(
  seeded: Seeded,
  character: Character,
  place: Pick<Facade, 'x' | 'foot' | 'width' | 'floors'>,
): Facade {
  const style = BUILDING_STYLES[character];
  return {
    ...place,
    wall: seeded.pick(style.walls),
    trim: seeded.pick(style.trims),
    door: seeded.pick(style.doors),
  };
}

/** `distance` fades the houses beside the one that is shown: 0 is near, 1 is not visible. */
export function drawFacade(
  seeded: Seeded,
  light: Light,
  character: Character,
  facade: Facade,
  distance = 0,
): string[] {
  const { x, foot, width, floors, wall } = facade;
  const { floorHeight } = BUILDING_STYLES[character];
  const top = foot - floors * floorHeight;
  const drawn = Array.from({ length: floors }, (_, floor) =>
    drawFloor({ seeded, light, character, facade, style: BUILDING_STYLES[character] }, floor),
  );
  return [
    ...inLight(light, [
      ...drawRoof(seeded, character, facade, top),
      box(x, top, width, foot - top, wall),
      ...drawSurface(character, facade, top),
      ...drawn.flatMap(({ parts }) => parts),
    ]),
    ...drawn.flatMap(({ lights }) => lights),
    ...drawLamp(light, x + width * 0.5 + 74, foot - 118),
    box(x, top, width, foot - top, light.far, { opacity: distance }),
  ];
}

function drawRoof(seeded: Seeded, character: Character, { x, width, trim }: Facade, top: number): string[] {
  const right = x + width;
  const chimney = x + width * (0.2 + seeded.fraction() * 0.5);
  switch (character) {
    case 'southern':
      return [
        box(chimney, top - 74, 34, 60, '#e5d3b8'),
        outline(
          [
            [x - 20, top],
            [x + 26, top - 44],
            [right - 26, top - 44],
            [right + 20, top],
          ],
          '#b9603f',
        ),
        ...Array.from({ length: Math.floor(width / 22) }, (_, index) =>
          oval(x + 4 + index * 22, top, 11, 7, '#a5502f'),
        ),
      ];
    case 'boulevard':
      return [
        outline(
          [
            [x, top],
            [x + 22, top - 92],
            [right - 22, top - 92],
            [right, top],
          ],
          '#5d6a78',
        ),
        ...Array.from({ length: Math.max(2, Math.floor(width / 110)) }, (_, index) => {
          const middle = x + 62 + index * 110;
          return (
            box(middle - 20, top - 72, 40, 66, '#e9e1d0', { radius: 18 }) +
            box(middle - 12, top - 60, 24, 50, '#3d4b59', { radius: 12 })
          );
        }),
        box(x - 8, top - 8, width + 16, 14, trim),
      ];
    case 'georgian':
      return [
        box(chimney, top - 78, 60, 60, '#a89272'),
        ...[0, 1, 2].map((pot) => box(chimney + 6 + pot * 18, top - 96, 12, 20, '#b3603f')),
        outline(
          [
            [x, top],
            [x + 40, top - 46],
            [right - 40, top - 46],
            [right, top],
          ],
          '#58606b',
        ),
        box(x - 8, top - 10, width + 16, 20, trim),
      ];
    case 'brick':
      return [
        box(x - 10, top - 26, width + 20, 30, '#3a2f2c'),
        ...Array.from({ length: Math.floor(width / 26) }, (_, index) =>
          box(x + 2 + index * 26, top - 10, 10, 16, '#5d4a42'),
        ),
      ];
    case 'northern':
      return [
        outline(
          [
            [x, top + 1],
            [x + width / 2, top - width * 0.42],
            [right, top + 1],
          ],
          '#8f3f2f',
        ),
        disc(x + width / 2, top - width * 0.14, 20, '#fff', { opacity: 0.85 }),
      ];
    case 'palm':
      return [box(x - 26, top - 22, width + 52, 26, trim, { radius: 3 })];
    case 'eastern':
      return [
        curve(
          `M${x - 56} ${top + 8} Q${x + 20} ${top - 8} ${x + width * 0.2} ${top - 70} H${x + width * 0.8} Q${right - 20} ${top - 8} ${right + 56} ${top + 8} Z`,
          '#3f4752',
        ),
        stroke(`M${x + width * 0.2} ${top - 70} H${x + width * 0.8}`, '#2b313a', 14),
      ];
  }
}

/** Bricks, courses of stone, timber: what a wall is made of. */
function drawSurface(character: Character, { x, foot, width, trim }: Facade, top: number): string[] {
  if (character === 'brick') {
    const rows = Math.floor((foot - top) / 18);
    return Array.from({ length: rows }, (_, row) =>
      stroke(`M${x} ${top + 18 * (row + 1)} h${width}`, '#000', 1, 0.13),
    );
  }
  if (character === 'georgian' || character === 'boulevard') {
    const rows = Math.floor((foot - top) / 34);
    return Array.from({ length: rows }, (_, row) =>
      stroke(`M${x} ${top + 34 * (row + 1)} h${width}`, '#5c4a2c', 1, 0.14),
    );
  }
  if (character === 'eastern') {
    const posts = Math.max(2, Math.round(width / 150));
    return Array.from({ length: posts + 1 }, (_, post) =>
      box(x + (width / posts) * post - 7, top, 14, foot - top, trim),
    );
  }
  if (character === 'southern') return [box(x, foot - 46, width, 46, '#fff', { opacity: 0.28 })];
  return [];
}
