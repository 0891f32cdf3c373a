import type { Property } from '../properties.ts';
import { type Seeded, seededBy } from '../seeded.ts';
import { BUILDING_STYLES } from './building-styles.ts';
import { drawFacade, pickFacade } from './facade.ts';
import { drawHills, drawPalm } from './horizon.ts';
import { drawSky, inLight, type Light, pickLight } from './light.ts';
import { box, disc, HEIGHT, oval, stroke, WIDTH } from './shapes.ts';

const STREET = 690;

/** The building from the street. Town homes stand between their neighbours, houses and villas in a garden. */
export function drawExterior(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} exterior`);
  const light = pickLight(seeded);
  const { character } = property.city;
  const inGarden = ['house', 'villa', 'cottage'].includes(property.kind);
  const floorsThatFit = Math.floor((STREET - 170) / BUILDING_STYLES[character].floorHeight);
  const floors = inGarden
    ? Math.min(2, floorsThatFit)
    : seeded.integer(Math.max(2, floorsThatFit - 1), floorsThatFit);
  const width = inGarden ? seeded.integer(480, 620) : seeded.integer(400, 520);
  const x = (WIDTH - width) / 2;
  const main = pickFacade(seeded, character, { x, foot: STREET, width, floors });
  const neighbours = inGarden
    ? drawGarden(seeded, light, character === 'palm')
    : [
        ...drawNeighbour(seeded, light, property, x - 330, 330),
        ...drawNeighbour(seeded, light, property, x + width, 330),
        ...drawNeighbour(seeded, light, property, x - 600, 270),
        ...drawNeighbour(seeded, light, property, x + width + 330, 270),
      ];
  return [
    ...drawSky(seeded, light),
    drawHills(seeded, light.far, 620, 160),
    ...neighbours,
    ...drawFacade(seeded, light, character, main),
    ...(inGarden ? drawLawn(seeded, light) : drawStreet(seeded, light)),
  ];
}

function drawNeighbour(seeded: Seeded, light: Light, { city }: Property, x: number, width: number): string[] {
  const most = Math.floor((STREET - 150) / BUILDING_STYLES[city.character].floorHeight);
  const facade = pickFacade(seeded, city.character, {
    x,
    foot: STREET,
    width,
    floors: seeded.integer(2, most),
  });
  return drawFacade(seeded, light, city.character, facade, 0.2);
}

function drawStreet(seeded: Seeded, light: Light): string[] {
  const stones = Array.from({ length: 90 }, () => {
    const y = seeded.integer(STREET + 40, HEIGHT);
    return oval(seeded.integer(0, WIDTH), y, 16 + (y - STREET) * 0.14, 5, '#000', { opacity: 0.07 });
  });
  const bicycle = seeded.integer(120, 900);
  return inLight(light, [
    box(0, STREET, WIDTH, 26, '#cfc6b8'),
    box(0, STREET + 26, WIDTH, HEIGHT - STREET - 26, '#a59c90'),
    ...stones,
    ...(seeded.chance(0.45) ? drawBicycle(bicycle, STREET + 20) : []),
    ...[seeded.integer(40, 300), seeded.integer(880, 1120)].flatMap((x) =>
      drawTree(x, STREET + 12, seeded.integer(150, 210)),
    ),
  ]);
}

function drawTree(x: number, foot: number, height: number): string[] {
  return [
    stroke(`M${x} ${foot} v${-height * 0.6}`, '#6b4f3a', 12),
    disc(x, foot - height, height * 0.36, '#5d8f5a'),
    disc(x - height * 0.2, foot - height * 0.82, height * 0.28, '#4c7f50'),
    disc(x + height * 0.22, foot - height * 0.86, height * 0.26, '#6f9f63'),
    box(x - 30, foot - 16, 60, 18, '#7f6a55', { radius: 4 }),
  ];
}

function drawBicycle(x: number, foot: number): string[] {
  return [
    ...[x, x + 108].map(
      (wheel) =>
        `<circle cx="${wheel}" cy="${foot - 28}" r="30" fill="none" stroke="#20242a" stroke-width="4"/>`,
    ),
    stroke(
      `M${x} ${foot - 28} l34 -48 h48 l-34 48 h-48 M${x + 82} ${foot - 76} l26 48 M${x + 34} ${foot - 76} l14 48`,
      '#c8553d',
      5,
    ),
    stroke(
      `M${x + 82} ${foot - 76} l-6 -18 h18 M${x + 34} ${foot - 76} l-4 -12 M${x + 20} ${foot - 88} h22`,
      '#20242a',
      5,
    ),
  ];
}

function drawGarden(seeded: Seeded, light: Light, palms: boolean): string[] {
  const places = [70, 200, 980, 1110].map((x) => x + seeded.integer(-30, 30));
  const trees = places.flatMap((x) =>
    palms
      ? [drawPalm(x, STREET + 16, seeded.integer(260, 400), '#3f6f52')]
      : [
          stroke(`M${x} ${STREET + 10} v-150`, '#5d4634', 16),
          oval(x, STREET - 220, 74, 128, '#4c7f50'),
          oval(x + 26, STREET - 190, 56, 96, '#649a5f'),
        ],
  );
  return inLight(light, trees);
}

function drawLawn(seeded: Seeded, light: Light): string[] {
  const shrubs = Array.from({ length: 13 }, (_, index) =>
    oval(
      index * 100 + seeded.integer(-20, 20),
      STREET + 6,
      seeded.integer(40, 64),
      seeded.integer(20, 34),
      seeded.pick(['#5d8f5a', '#4c7f50', '#74a866']),
    ),
  );
  const flowers = Array.from({ length: 44 }, () =>
    disc(
      seeded.integer(0, WIDTH),
      seeded.integer(STREET + 24, HEIGHT),
      5,
      seeded.pick(['#f2a7b5', '#fff1c9', '#e9897a', '#c9b6e4']),
    ),
  );
  return inLight(light, [
    box(0, STREET, WIDTH, HEIGHT - STREET, '#86b06f'),
    `<polygon points="540,${STREET} 640,${STREET} 760,${HEIGHT} 420,${HEIGHT}" fill="#dccfb7"/>`,
    ...shrubs.filter((_, index) => index < 5 || index > 7),
    ...flowers,
  ]);
}
