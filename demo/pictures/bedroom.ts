import type { Property } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import {
  drawArtwork,
  drawCurtains,
  drawPlant,
  drawRoom,
  drawWindowWithView,
  pickRoomLight,
  pickTones,
  type Tones,
} from './room.ts';
import { box, curve, disc, oval, stroke } from './shapes.ts';

export function drawBedroom(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} bedroom`);
  const tones = pickTones(seeded, property);
  const light = pickRoomLight(seeded);
  const window = { x: 120, y: 120, width: 210, height: 320 };
  const room = [
    ...drawWindowWithView(seeded, property, light, window),
    ...drawCurtains(window, tones.linen),
    ...drawArtwork(seeded, tones, { x: 650, y: 90, width: 240, height: 150 }),
    oval(770, 742, 470, 50, tones.accent, { opacity: 0.28 }),
    ...drawBed(tones, 520, 706),
    ...drawNightStand(tones, 408, 680),
    ...drawNightStand(tones, 1030, 680),
    ...drawPlant(seeded, 70, 720, 190),
  ];
  return seeded.chance(0.5)
    ? [...drawRoom(tones), `<g transform="translate(1200 0) scale(-1 1)">${room.join('')}</g>`]
    : [...drawRoom(tones), ...room];
}

function drawBed(tones: Tones, x: number, foot: number): string[] {
  const width = 490;
  return [
    box(x - 10, foot - 430, width + 20, 300, tones.wood, { radius: 26 }),
    box(x + 12, foot - 408, width - 24, 240, '#fff', { radius: 16, opacity: 0.13 }),
    box(x, foot - 250, width, 232, '#fff', { radius: 24 }),
    box(x, foot - 250, width, 232, tones.linen, { radius: 24 }),
    ...[x + 26, x + 256].flatMap((pillow) => [
      box(pillow, foot - 306, 208, 104, '#ffffff', { radius: 34 }),
      box(pillow + 6, foot - 220, 196, 14, '#000', { radius: 8, opacity: 0.06 }),
    ]),
    box(x + 160, foot - 268, 170, 84, tones.accent, { radius: 24 }),
    curve(
      `M${x - 8} ${foot - 168} q${width / 2 + 8} 30 ${width + 16} 0 v150 q-6 12 -24 12 h${-(width - 32)} q-18 0 -24 -12 Z`,
      tones.main,
    ),
    curve(
      `M${x - 8} ${foot - 168} q${width / 2 + 8} 30 ${width + 16} 0 v36 q${-(width / 2 + 8)} 30 ${-(width + 16)} 0 Z`,
      tones.linen,
    ),
    stroke(
      `M${x + 120} ${foot - 112} q10 50 0 92 M${x + 250} ${foot - 106} q-8 50 2 88 M${x + 376} ${foot - 112} q10 44 0 92`,
      '#000',
      4,
      0.1,
    ),
    ...[x + 24, x + width - 40].map((leg) => box(leg, foot - 10, 16, 30, tones.wood)),
  ];
}

function drawNightStand(tones: Tones, x: number, foot: number): string[] {
  return [
    disc(x + 46, foot - 206, 120, '#ffe6ac', { opacity: 0.26 }),
    box(x, foot - 120, 92, 120, tones.wood, { radius: 6 }),
    box(x + 10, foot - 108, 72, 42, '#fff', { radius: 4, opacity: 0.16 }),
    disc(x + 46, foot - 87, 5, tones.accent),
    box(x + 40, foot - 180, 12, 62, tones.accent),
    curve(`M${x + 22} ${foot - 232} h48 l18 62 h-84 Z`, '#fff3d2'),
    box(x + 62, foot - 132, 26, 12, tones.main),
  ];
}
