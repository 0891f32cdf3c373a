import type { Character } from '../cities.ts';
import type { Seeded } from '../seeded.ts';
import type { Light } from './light.ts';
import { box, curve, disc, gradient, HEIGHT, outline, oval, stroke, WIDTH } from './shapes.ts';

/** The background below the sky: hills, the sea, the skyline of a city. */
export function drawHills(seeded: Seeded, colour: string, base: number, rise: number): string {
  const steps = 6;
  const points = Array.from({ length: steps + 1 }, (_, index) => ({
    x: (WIDTH / steps) * index,
    y: base - rise * (0.25 + 0.75 * seeded.fraction()),
  }));
  let path = `M0 ${HEIGHT}`;
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (!before) {
      path += ` L0 ${point.y.toFixed(0)}`;
      return;
    }
    const middle = (before.x + point.x) / 2;
    path += ` C${middle} ${before.y.toFixed(0)} ${middle} ${point.y.toFixed(0)} ${point.x} ${point.y.toFixed(0)}`;
  });
  return curve(`${path} L${WIDTH} ${HEIGHT} Z`, colour);
}

export function drawSea(seeded: Seeded, light: Light, top: number): string[] {
  const glints = Array.from({ length: 46 }, () => {
    const depth = seeded.fraction();
    const x = seeded.integer(0, WIDTH);
    const y = top + 8 + depth * depth * (HEIGHT - top - 20);
    const length = 14 + depth * 70;
    return stroke(
      `M${x} ${y.toFixed(0)} h${length.toFixed(0)}`,
      '#fff',
      1.5 + depth * 2,
      0.16 + 0.2 * (1 - depth),
    );
  });
  const boatX = seeded.integer(120, WIDTH - 200);
  const boatY = top + seeded.integer(14, 60);
  return [
    `<defs>${gradient('sea', light.sea)}</defs>`,
    box(0, top, WIDTH, HEIGHT - top, 'url(#sea)'),
    ...glints,
    outline(
      [
        [boatX, boatY - 52],
        [boatX, boatY - 6],
        [boatX + 34, boatY - 6],
      ],
      '#fff',
      { opacity: 0.9 },
    ),
    outline(
      [
        [boatX - 5, boatY - 44],
        [boatX - 5, boatY - 6],
        [boatX - 24, boatY - 6],
      ],
      '#fff',
      { opacity: 0.75 },
    ),
    curve(`M${boatX - 30} ${boatY - 3} h70 q-10 14 -24 14 h-26 q-14 0 -20 -14 Z`, light.near),
  ];
}

/** A row of houses seen from afar, each city with its own landmarks. */
export function drawSkyline(seeded: Seeded, light: Light, character: Character, base: number): string[] {
  const rows: string[] = [];
  for (const [colour, lift, scale] of [
    [light.middle, 34, 0.8],
    [light.near, 0, 1],
  ] as const) {
    let x = -20;
    while (x < WIDTH) {
      const width = seeded.integer(48, 104) * scale;
      const height = heightIn(seeded, character) * scale;
      rows.push(
        ...drawBlock(seeded, light, character, {
          x,
          y: base - lift - height,
          width,
          height: height + lift + 400,
          colour,
        }),
      );
      x += width + (character === 'palm' ? seeded.integer(4, 40) : seeded.integer(-4, 6));
    }
    rows.push(...drawLandmark(seeded, character, colour, base - lift));
  }
  return rows;
}

function heightIn(seeded: Seeded, character: Character): number {
  switch (character) {
    case 'brick':
      return seeded.chance(0.3) ? seeded.integer(190, 330) : seeded.integer(80, 190);
    case 'eastern':
      return seeded.chance(0.16) ? seeded.integer(170, 260) : seeded.integer(48, 110);
    case 'palm':
      return seeded.chance(0.14) ? seeded.integer(130, 230) : seeded.integer(36, 84);
    case 'boulevard':
      return seeded.integer(104, 150);
    default:
      return seeded.integer(62, 148);
  }
}

type Block = { x: number; y: number; width: number; height: number; colour: string };

function drawBlock(seeded: Seeded, light: Light, character: Character, block: Block): string[] {
  const { x, y, width, height, colour } = block;
  const roofs: Record<Character, string> = {
    southern: outline(
      [
        [x - 3, y],
        [x + width / 2, y - 20],
        [x + width + 3, y],
      ],
      colour,
    ),
    georgian:
      outline(
        [
          [x, y],
          [x + 12, y - 18],
          [x + width - 12, y - 18],
          [x + width, y],
        ],
        colour,
      ) + box(x + 14, y - 38, 14, 24, colour),
    northern: outline(
      [
        [x, y],
        [x + width / 2, y - width * 0.62],
        [x + width, y],
      ],
      colour,
    ),
    boulevard:
      outline(
        [
          [x, y],
          [x + 8, y - 30],
          [x + width - 8, y - 30],
          [x + width, y],
        ],
        colour,
      ) + box(x + width - 26, y - 46, 10, 20, colour),
    brick: seeded.chance(0.25)
      ? box(x + width / 2 - 12, y - 34, 24, 34, colour) +
        outline(
          [
            [x + width / 2 - 15, y - 34],
            [x + width / 2, y - 46],
            [x + width / 2 + 15, y - 34],
          ],
          colour,
        )
      : '',
    palm: '',
    eastern: curve(
      `M${x - 8} ${y} q${width / 2 + 8} -4 ${width / 2 + 8} -22 q0 18 ${width / 2 + 8} 22 Z`,
      colour,
    ),
  };
  const windows: string[] = [];
  for (let row = y + 14; row < y + Math.min(height - 410, 300); row += 24) {
    for (let column = x + 10; column < x + width - 14; column += 20) {
      if (seeded.chance(light.windowsLit))
        windows.push(box(column, row, 8, 12, '#ffdf94', { opacity: 0.85 }));
      else if (seeded.chance(0.5)) windows.push(box(column, row, 8, 12, '#ffffff', { opacity: 0.1 }));
    }
  }
  return [roofs[character], box(x, y, width + 1, height, colour), ...windows];
}

function drawLandmark(seeded: Seeded, character: Character, colour: string, base: number): string[] {
  const x = seeded.integer(200, WIDTH - 260);
  switch (character) {
    case 'southern':
      return [
        box(x, base - 190, 120, 200, colour),
        oval(x + 60, base - 190, 62, 66, colour),
        box(x + 54, base - 282, 12, 40, colour),
        disc(x + 60, base - 286, 8, colour),
      ];
    case 'boulevard':
      return [
        outline(
          [
            [x, base],
            [x + 46, base - 150],
            [x + 58, base - 300],
            [x + 66, base - 300],
            [x + 78, base - 150],
            [x + 124, base],
          ],
          colour,
        ),
      ];
    case 'georgian':
      return [
        box(x, base - 210, 54, 220, colour),
        outline(
          [
            [x - 4, base - 210],
            [x + 27, base - 330],
            [x + 58, base - 210],
          ],
          colour,
        ),
      ];
    case 'northern':
      return [
        box(x, base - 200, 44, 210, colour),
        outline(
          [
            [x - 4, base - 200],
            [x + 22, base - 330],
            [x + 48, base - 200],
          ],
          colour,
        ),
        disc(x + 22, base - 250, 9, colour),
      ];
    case 'brick':
      return [
        box(x, base - 380, 74, 400, colour),
        box(x + 14, base - 430, 46, 60, colour),
        box(x + 34, base - 500, 6, 80, colour),
      ];
    case 'eastern':
      return [0, 1, 2, 3].map((level) => {
        const y = base - 70 - level * 58;
        const half = 88 - level * 14;
        return (
          curve(`M${x - half} ${y} q${half} -6 ${half} -26 q0 20 ${half} 26 Z`, colour) +
          box(x - half * 0.6, y - 2, half * 1.2, 50, colour)
        );
      });
    case 'palm':
      return [0, 1, 2].map((index) =>
        drawPalm(x + index * 120 - 60, base + 30, 150 + seeded.integer(0, 90), colour),
      );
  }
}

export function drawPalm(x: number, foot: number, height: number, colour: string): string {
  const top = foot - height;
  const fronds = [-1, -0.62, -0.2, 0.2, 0.62, 1].map((lean) =>
    stroke(
      `M${x + 12} ${top} q${lean * 40} ${-34 + Math.abs(lean) * 12} ${lean * 76} ${Math.abs(lean) * 34 - 4}`,
      colour,
      8,
    ),
  );
  return stroke(`M${x} ${foot} q2 ${-height / 2} 12 ${-height}`, colour, 9) + fronds.join('');
}
