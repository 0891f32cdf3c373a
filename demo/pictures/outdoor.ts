import type { Property } from '../properties.ts';
import { type Seeded, seededBy } from '../seeded.ts';
import { drawHills, drawPalm, drawSea, drawSkyline } from './horizon.ts';
import { drawSky, inLight, LIGHTS } from './light.ts';
import { box, curve, disc, HEIGHT, outline, oval, stroke, WIDTH } from './shapes.ts';

/** Where one sits outside: by the pool, in the garden, or on the terrace under a string of lights. */
export function drawOutdoor(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} outdoor`);
  const light = LIGHTS[seeded.pick(['noon', 'golden', 'golden', 'dusk', 'morning'] as const)];
  const { character, seaside } = property.city;
  const beyond =
    seaside && seeded.chance(0.5) ? drawSea(seeded, light, 480) : drawSkyline(seeded, light, character, 540);
  return [
    ...drawSky(seeded, light),
    drawHills(seeded, light.far, 520, 130),
    ...beyond,
    ...inLight(
      light,
      property.amenities.includes('pool')
        ? drawPool(seeded)
        : drawTerrace(seeded, property.amenities.includes('garden')),
      0.8,
    ),
    ...(light.windowsLit > 0.2 ? drawStringLights() : []),
  ];
}

function drawPool(seeded: Seeded): string[] {
  const ripples = Array.from({ length: 22 }, () =>
    stroke(`M${seeded.integer(250, 900)} ${seeded.integer(640, 770)} q16 -6 32 0 t32 0`, '#fff', 3, 0.4),
  );
  return [
    box(0, 560, WIDTH, 240, '#dccfb9'),
    ...Array.from({ length: 12 }, (_, index) =>
      disc(
        index * 110 + seeded.integer(-20, 20),
        556,
        seeded.integer(26, 46),
        seeded.pick(['#5d8f5a', '#4c7f50', '#74a866']),
      ),
    ),
    outline(
      [
        [250, 616],
        [960, 616],
        [1100, HEIGHT],
        [110, HEIGHT],
      ],
      '#f3ebdd',
    ),
    outline(
      [
        [270, 630],
        [940, 630],
        [1066, HEIGHT],
        [144, HEIGHT],
      ],
      '#4fc0d4',
    ),
    ...ripples,
    drawPalm(80, 600, 330, '#3f6f52'),
    drawPalm(1090, 600, 280, '#3f6f52'),
    ...[930, 1030].flatMap((x) => [
      box(x, 590, 88, 16, '#fff', { radius: 6 }),
      outline(
        [
          [x + 60, 590],
          [x + 104, 548],
          [x + 112, 556],
          [x + 76, 600],
        ],
        '#fff',
      ),
      box(x + 6, 604, 8, 24, '#8a6a4b'),
      box(x + 66, 604, 8, 24, '#8a6a4b'),
    ]),
    stroke('M1020 600 v-160', '#8a6a4b', 7),
    curve('M920 452 q100 -104 200 0 Z', '#e07a5f'),
  ];
}

function drawTerrace(seeded: Seeded, inGarden: boolean): string[] {
  const ground = inGarden
    ? [
        box(0, 590, WIDTH, 210, '#86b06f'),
        ...Array.from({ length: 60 }, () =>
          disc(
            seeded.integer(0, WIDTH),
            seeded.integer(600, 790),
            5,
            seeded.pick(['#f2a7b5', '#fff1c9', '#e9897a', '#c9b6e4']),
          ),
        ),
        ...Array.from({ length: 13 }, (_, index) =>
          disc(index * 100, 590, seeded.integer(40, 66), seeded.pick(['#5d8f5a', '#4c7f50', '#74a866'])),
        ),
      ]
    : [
        box(0, 600, WIDTH, 200, '#c9a983'),
        ...Array.from({ length: 8 }, (_, index) =>
          stroke(`M0 ${622 + index * 24} h${WIDTH}`, '#a98962', 3, 0.7),
        ),
        ...Array.from({ length: 30 }, (_, index) => box(index * 42, 478, 5, 124, '#2d3540')),
        box(0, 470, WIDTH, 12, '#2d3540'),
      ];
  return [
    ...ground,
    ...[110, 1080].flatMap((x) => [
      disc(x - 20, 560, 50, '#4c7f50'),
      disc(x + 34, 548, 56, '#649a5f'),
      disc(x + 4, 516, 44, '#74a866'),
      disc(x, 540, 10, '#e2607a'),
      disc(x + 40, 530, 10, '#e2607a'),
      curve(`M${x - 52} 590 h116 l-16 110 h-84 Z`, '#b8674a'),
    ]),
    ...[360, 720].flatMap((x, index) => drawChair(x, 740, index === 1)),
    stroke('M600 620 v130 M600 750 l-60 24 M600 750 l60 24', '#3a342d', 9),
    oval(600, 618, 160, 30, '#efe6d6'),
    oval(600, 612, 160, 30, '#faf4e8'),
    oval(546, 606, 46, 10, '#dce6e2'),
    disc(532, 598, 13, '#e9a93f'),
    disc(556, 596, 13, '#c9553d'),
    box(624, 534, 20, 74, '#3f5f4a', { radius: 6 }),
    box(629, 506, 10, 34, '#3f5f4a'),
    curve('M664 556 h34 q0 30 -17 30 q-17 0 -17 -30 Z', '#f7d9cd', { opacity: 0.9 }),
    stroke('M681 586 v22', '#f3efe6', 3),
  ];
}

function drawChair(x: number, foot: number, facesLeft: boolean): string[] {
  const back = facesLeft ? x + 112 : x + 8;
  return [
    stroke(
      `M${back} ${foot} V${foot - 230} M${x + (facesLeft ? 8 : 112)} ${foot} V${foot - 100}`,
      '#3a342d',
      9,
    ),
    ...[0, 1, 2, 3].map((slat) =>
      stroke(
        `M${back} ${foot - 226 + slat * 30} q${facesLeft ? -22 : 22} 6 ${facesLeft ? -30 : 30} 4`,
        '#3a342d',
        8,
      ),
    ),
    box(x, foot - 112, 120, 22, '#e07a5f', { radius: 10 }),
  ];
}

function drawStringLights(): string[] {
  const bulbs = Array.from({ length: 13 }, (_, index) => {
    const x = 40 + index * 93;
    const y = 150 + 70 * Math.sin((index / 12) * Math.PI);
    return disc(x, y + 14, 30, '#ffdf94', { opacity: 0.3 }) + disc(x, y + 14, 9, '#fff1c4');
  });
  return [stroke('M0 146 Q600 300 1200 146', '#2d2a28', 3), ...bulbs];
}
