import type { Property } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import {
  drawArtwork,
  drawCurtains,
  drawFloorLamp,
  drawPlant,
  drawRoom,
  drawWindowWithView,
  pickRoomLight,
  pickTones,
  type Tones,
} from './room.ts';
import { box, curve, disc, oval, stroke } from './shapes.ts';

export function drawLivingArea(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} living area`);
  const tones = pickTones(seeded, property);
  const light = pickRoomLight(seeded);
  const mirrored = seeded.chance(0.5);
  const hasFire = property.amenities.includes('fireplace');
  const window = { x: hasFire ? 690 : 760, y: 130, width: hasFire ? 190 : 280, height: 330 };
  const room = [
    ...drawWindowWithView(seeded, property, light, window),
    ...drawCurtains(window, tones.linen),
    ...drawArtwork(seeded, tones, { x: 250, y: 120, width: 190, height: 210 }),
    ...drawArtwork(seeded, tones, { x: 464, y: 160, width: 120, height: 130 }),
    ...(hasFire ? drawFireplace(1100) : drawPlant(seeded, 1110, 690, 250)),
    oval(500, 716, 430, 62, tones.accent, { opacity: 0.35 }),
    oval(500, 716, 370, 48, tones.linen, { opacity: 0.6 }),
    ...drawFloorLamp(96, 660, tones.linen),
    ...drawSofa(tones, 170, 640),
    ...drawTable(tones, 500, 736),
  ];
  return mirrored
    ? [...drawRoom(tones), `<g transform="translate(1200 0) scale(-1 1)">${room.join('')}</g>`]
    : [...drawRoom(tones), ...room];
}

function drawSofa(tones: Tones, x: number, foot: number): string[] {
  return [
    box(x, foot - 210, 560, 190, tones.main, { radius: 34 }),
    box(x + 40, foot - 112, 240, 76, tones.main, { radius: 18 }),
    box(x + 280, foot - 112, 240, 76, tones.main, { radius: 18 }),
    box(x + 40, foot - 112, 480, 76, '#fff', { radius: 18, opacity: 0.12 }),
    stroke(`M${x + 280} ${foot - 108} v70`, '#000', 3, 0.16),
    box(x - 20, foot - 140, 74, 134, tones.main, { radius: 28 }),
    box(x + 506, foot - 140, 74, 134, tones.main, { radius: 28 }),
    box(x, foot - 52, 560, 42, tones.main, { radius: 12 }),
    box(x, foot - 52, 560, 42, '#000', { radius: 12, opacity: 0.14 }),
    `<g transform="rotate(-12 ${x + 110} ${foot - 130})">${box(x + 62, foot - 184, 98, 92, tones.accent, { radius: 16 })}</g>`,
    `<g transform="rotate(9 ${x + 440} ${foot - 130})">${box(x + 398, foot - 180, 94, 88, tones.linen, { radius: 16 })}</g>`,
    ...[x + 30, x + 516].map((leg) => box(leg, foot - 12, 14, 30, tones.wood)),
  ];
}

function drawTable(tones: Tones, x: number, foot: number): string[] {
  return [
    stroke(
      `M${x - 90} ${foot - 56} L${x - 110} ${foot} M${x + 90} ${foot - 56} L${x + 110} ${foot}`,
      tones.wood,
      9,
    ),
    oval(x, foot - 62, 150, 26, tones.wood),
    oval(x, foot - 68, 150, 26, '#fff', { opacity: 0.14 }),
    box(x - 84, foot - 92, 96, 14, tones.accent, { radius: 3 }),
    box(x - 76, foot - 106, 84, 14, tones.main, { radius: 3 }),
    box(x + 44, foot - 114, 34, 42, '#f5efe4', { radius: 8 }),
    disc(x + 54, foot - 130, 13, '#7fa870'),
    disc(x + 70, foot - 138, 15, '#5d8f5a'),
  ];
}

function drawFireplace(x: number): string[] {
  return [
    box(x - 130, 330, 250, 290, '#efe7da'),
    box(x - 146, 316, 282, 26, '#fbf6ec'),
    box(x - 86, 420, 162, 200, '#2a2422', { radius: 6 }),
    curve(
      `M${x - 56} 604 q-22 -60 14 -104 q4 34 20 36 q-14 -62 26 -104 q0 62 34 88 q10 -14 6 -34 q40 56 8 118 Z`,
      '#f08a3c',
    ),
    curve(`M${x - 28} 604 q-12 -36 14 -64 q4 20 14 18 q-2 -30 18 -48 q2 40 20 56 q8 22 -8 38 Z`, '#ffd27a'),
    stroke(`M${x - 40} 606 h76`, '#5d3a26', 20),
  ];
}
