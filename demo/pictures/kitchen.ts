import type { Property } from '../properties.ts';
import { type Seeded, seededBy } from '../seeded.ts';
import { drawRoom, drawWindowWithView, FLOOR, pickRoomLight, pickTones, type Tones } from './room.ts';
import { box, curve, disc, oval, stroke, WIDTH } from './shapes.ts';

export function drawKitchen(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} kitchen`);
  const tones = pickTones(seeded, property);
  const light = pickRoomLight(seeded);
  return [
    ...drawRoom(tones),
    ...drawTiles(seeded, tones),
    ...drawWindowWithView(seeded, property, light, { x: 470, y: 100, width: 260, height: 240 }),
    ...drawShelf(seeded, tones, 70, 180),
    ...drawShelf(seeded, tones, 70, 296),
    ...drawHood(tones),
    ...drawCounter(tones),
    ...[360, 600, 840].flatMap((x) => drawPendant(tones, x)),
    ...drawIsland(tones),
  ];
}

function drawTiles(seeded: Seeded, tones: Tones): string[] {
  const tiles: string[] = [];
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 30; column++) {
      const colour = seeded.chance(0.16) ? tones.accent : seeded.chance(0.3) ? tones.main : tones.linen;
      tiles.push(
        box(column * 40 + 1, 316 + row * 30, 38, 28, colour, {
          opacity: colour === tones.linen ? 0.9 : 0.5,
          radius: 2,
        }),
      );
    }
  }
  return tiles;
}

function drawShelf(seeded: Seeded, tones: Tones, x: number, y: number): string[] {
  const jars = Array.from({ length: 6 }, (_, index) => {
    const height = seeded.integer(34, 62);
    const left = x + 14 + index * 50;
    const colour = seeded.pick([tones.accent, tones.main, '#f5efe4', '#c9b48c', '#8fae8a']);
    return (
      box(left, y - height, 34, height, colour, { radius: 6 }) +
      box(left + 3, y - height - 8, 28, 9, tones.wood, { radius: 3 })
    );
  });
  return [...jars, box(x, y, 320, 13, tones.wood, { radius: 3 })];
}

function drawHood(tones: Tones): string[] {
  return [
    box(930, 0, 90, 170, '#d9d4ca'),
    curve('M860 250 L920 168 H1030 L1090 250 Z', '#e6e1d8'),
    box(856, 248, 238, 20, tones.wood),
  ];
}

function drawCounter(tones: Tones): string[] {
  const doors = Array.from({ length: 8 }, (_, index) => {
    const x = index * 150 + 6;
    return (
      box(x, 462, 138, 118, tones.main, { radius: 4 }) +
      box(x + 12, 474, 114, 94, '#fff', { radius: 3, opacity: 0.1 }) +
      box(x + 52, 470, 34, 6, tones.accent, { radius: 3 })
    );
  });
  return [
    box(0, 440, WIDTH, FLOOR - 440, tones.main),
    ...doors,
    box(0, 432, WIDTH, 24, '#efe8dc'),
    // Hob with a pot, tap, board with bread.
    box(880, 424, 190, 10, '#26282b', { radius: 4 }),
    box(912, 374, 92, 52, tones.accent, { radius: 10 }),
    box(904, 368, 108, 12, tones.accent, { radius: 6 }),
    stroke('M600 432 v-66 q0 -26 30 -26 q26 0 26 26', '#8e949a', 10),
    box(180, 420, 150, 14, tones.wood, { radius: 5 }),
    oval(256, 408, 58, 20, '#d39a55'),
    stroke('M226 398 l10 16 M252 394 l8 18 M280 398 l4 14', '#a86f32', 4),
  ];
}

function drawPendant(tones: Tones, x: number): string[] {
  return [
    stroke(`M${x} 0 v96`, '#3a342d', 4),
    disc(x, 150, 92, '#ffe6ac', { opacity: 0.2 }),
    curve(`M${x - 46} 146 q0 -52 46 -52 q46 0 46 52 Z`, tones.accent),
    disc(x, 148, 12, '#fff6d6'),
  ];
}

function drawIsland(tones: Tones): string[] {
  return [
    box(250, 640, 700, 160, tones.wood),
    ...Array.from({ length: 9 }, (_, index) => stroke(`M${262 + index * 84} 660 v140`, '#000', 3, 0.14)),
    box(220, 616, 760, 32, '#f3ece0', { radius: 6 }),
    oval(600, 612, 96, 20, '#cfdad6'),
    ...[560, 596, 634, 612].map((x, index) =>
      disc(
        x,
        592 - (index === 3 ? 22 : 0),
        24,
        ['#e9a93f', '#d8764f', '#e9c14f', '#c9553d'][index] ?? '#e9a93f',
      ),
    ),
    box(760, 548, 30, 70, '#dfe8e6', { radius: 10, opacity: 0.9 }),
    ...[-22, 0, 22].map((lean) => stroke(`M775 556 q${lean / 2} -40 ${lean} -74`, '#5d8f5a', 6)),
    ...[-22, 0, 22].map((lean) => disc(775 + lean, 476, 14, '#f2a7b5')),
  ];
}
