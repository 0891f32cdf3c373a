import type { Character } from '../cities.ts';
import type { Seeded } from '../seeded.ts';
import type { BuildingStyle, Facade } from './building-styles.ts';
import type { Light } from './light.ts';
import { box, disc, outline, stroke } from './shapes.ts';

/** The windows and the door of a house. */
type FloorContext = {
  readonly seeded: Seeded;
  readonly light: Light;
  readonly character: Character;
  readonly facade: Facade;
  readonly style: BuildingStyle;
};

/** Parts that get darker in the evening, and lights that do not. */
type Floor = { readonly parts: string[]; readonly lights: string[] };

export function drawFloor(context: FloorContext, floor: number): Floor {
  const { character, facade } = context;
  const { x, foot, width } = facade;
  const { floorHeight, windowWidth, windowHeight } = context.style;
  const base = foot - floor * floorHeight;
  const columns = Math.max(2, Math.floor(width / (windowWidth + 58)));
  const step = width / columns;
  // The door stands in the middle, or just left of it.
  const doorColumn = Math.floor((columns - 1) / 2);
  const drawn: Floor = { parts: [], lights: [] };
  for (let column = 0; column < columns; column++) {
    const middle = x + step * (column + 0.5);
    if (floor === 0 && column === doorColumn) {
      drawn.parts.push(...drawDoor(character, facade, middle));
      continue;
    }
    const isLit = context.seeded.chance(context.light.windowsLit);
    const opening = { middle, sill: base - (floorHeight - windowHeight) / 2, floor, isLit };
    drawn.parts.push(...drawWindow(context, opening));
    if (isLit) drawn.lights.push(...drawWindowLight(context, opening));
  }
  if (floor > 0 && (character === 'boulevard' || character === 'northern')) {
    drawn.parts.push(box(x, base - 3, width, 6, facade.trim, { opacity: 0.8 }));
  }
  return drawn;
}

function drawDoor(character: Character, { foot, door, trim }: Facade, middle: number): string[] {
  if (character === 'eastern') {
    return [
      box(middle - 64, foot - 112, 128, 112, door),
      ...Array.from({ length: 11 }, (_, bar) => box(middle - 58 + bar * 11, foot - 106, 4, 106, '#a88a63')),
      // The short curtain over the door.
      ...[0, 1, 2].map((flag) => box(middle - 62 + flag * 42, foot - 124, 40, 46, '#2f3f6f')),
      disc(middle, foot - 102, 10, '#f4efe4'),
    ];
  }
  const arched = character === 'southern' || character === 'georgian';
  return [
    box(middle - 36, foot - 114, 72, 114, trim, arched ? { radius: 36 } : {}),
    box(middle - 36, foot - 60, 72, 60, trim),
    box(middle - 28, foot - 106, 56, 106, door, arched ? { radius: 28 } : {}),
    box(middle - 28, foot - 60, 56, 60, door),
    box(middle - 20, foot - 50, 17, 38, '#000', { opacity: 0.16 }),
    box(middle + 3, foot - 50, 17, 38, '#000', { opacity: 0.16 }),
    disc(middle + 18, foot - 54, 4, '#e9c46a'),
    box(middle - 48, foot - 7, 96, 8, '#d6cdbf'),
  ];
}

type Opening = {
  readonly middle: number;
  readonly sill: number;
  readonly floor: number;
  readonly isLit: boolean;
};

function drawWindowLight({ style, facade, character }: FloorContext, { middle, sill }: Opening): string[] {
  const { windowWidth: width, windowHeight: height } = style;
  const [left, top] = [middle - width / 2, sill - height];
  const bars =
    character === 'eastern'
      ? Array.from({ length: 6 }, (_, bar) =>
          box(left + (width / 7) * (bar + 1), top, 3, height, facade.trim),
        )
      : [box(middle - 2, top, 4, height, '#5d4a35'), box(left, top + height * 0.42, width, 3, '#5d4a35')];
  return [
    box(left - 10, top - 10, width + 20, height + 20, '#ffcf7a', { opacity: 0.16, radius: 10 }),
    box(left, top, width, height, character === 'eastern' ? '#ffe7b5' : '#ffd98a'),
    box(left, top + height * 0.55, width, height * 0.45, '#ffb95e', { opacity: 0.4 }),
    ...bars,
  ];
}

function drawWindow(context: FloorContext, { middle, sill, floor, isLit }: Opening): string[] {
  const { seeded, light, character, facade } = context;
  const { windowWidth: width, windowHeight: height } = context.style;
  const left = middle - width / 2;
  const top = sill - height;
  const glass = light.stars ? '#26315a' : '#5f7f94';
  const bars =
    character === 'palm'
      ? []
      : [box(middle - 2, top, 4, height, facade.trim), box(left, top + height * 0.42, width, 4, facade.trim)];
  const frame = [
    box(left - 6, top - 6, width + 12, height + 12, facade.trim),
    box(left, top, width, height, glass),
    outline(
      [
        [left, top + height * 0.6],
        [left + width * 0.6, top],
        [left + width * 0.9, top],
        [left, top + height * 0.9],
      ],
      '#fff',
      { opacity: 0.16 },
    ),
  ];
  switch (character) {
    case 'southern': {
      const shutters = [
        box(left - 30, top - 2, 24, height + 4, facade.door),
        box(left + width + 6, top - 2, 24, height + 4, facade.door),
      ];
      return [
        ...frame,
        ...bars,
        ...shutters,
        ...(floor > 0 && seeded.chance(0.55) ? drawFlowerBox(left - 8, sill + 4, width + 16) : []),
      ];
    }
    case 'boulevard':
      return [...frame, ...bars, ...(floor > 0 ? drawIronwork(left - 14, sill + 6, width + 28) : [])];
    case 'eastern':
      return [
        box(left - 4, top - 4, width + 8, height + 8, facade.trim),
        box(left, top, width, height, isLit ? '#ffe3a8' : '#f1ead9'),
        ...Array.from({ length: 7 }, (_, bar) => box(left + (width / 7) * bar, top, 3, height, facade.trim)),
        box(left, top + height / 2, width, 3, facade.trim),
      ];
    default:
      return [
        ...frame,
        ...bars,
        box(left - 10, sill + 2, width + 20, 8, facade.trim),
        ...(seeded.chance(0.25) ? drawFlowerBox(left - 4, sill + 2, width + 8) : []),
      ];
  }
}

function drawFlowerBox(x: number, y: number, width: number): string[] {
  const blooms = Array.from({ length: Math.floor(width / 12) }, (_, index) =>
    disc(
      x + 6 + index * 12,
      y - 4 - (index % 2) * 6,
      7,
      ['#d9526f', '#6f9f5c', '#e9897a', '#5a8a50'][index % 4] ?? '#6f9f5c',
    ),
  );
  return [...blooms, box(x, y, width, 14, '#8a5638', { radius: 3 })];
}

function drawIronwork(x: number, y: number, width: number): string[] {
  const bars = Array.from({ length: Math.floor(width / 9) }, (_, index) =>
    box(x + 3 + index * 9, y - 30, 2, 32, '#20242a'),
  );
  return [box(x, y, width, 7, '#d9cdb6'), ...bars, box(x, y - 32, width, 4, '#20242a')];
}

export function drawLamp(light: Light, x: number, y: number): string[] {
  const shining = light.windowsLit > 0.2;
  return [
    ...(shining ? [disc(x, y, 46, '#ffdf94', { opacity: 0.28 })] : []),
    box(x - 8, y - 10, 16, 22, shining ? '#fff0b8' : '#d8d3c6', { radius: 4 }),
    stroke(`M${x} ${y - 10} v-10 h-14`, '#23272c', 4),
  ];
}
