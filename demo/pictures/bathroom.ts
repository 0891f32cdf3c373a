import type { Property } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import { drawPlant, drawRoom, drawWindowWithView, FLOOR, pickRoomLight, pickTones } from './room.ts';
import { box, curve, disc, HEIGHT, oval, stroke, WIDTH } from './shapes.ts';

export function drawBathroom(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} bathroom`);
  const tones = pickTones(seeded, property);
  const light = pickRoomLight(seeded);
  const tiles: string[] = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 22; column++) {
      const shift = row % 2 === 0 ? 0 : -28;
      tiles.push(
        box(
          column * 56 + shift + 1,
          252 + row * 41,
          54,
          39,
          seeded.chance(0.12) ? tones.accent : tones.main,
          { opacity: 0.14 + Math.round(seeded.fraction() * 16) / 100, radius: 3 },
        ),
      );
    }
  }
  return [
    ...drawRoom(tones),
    ...tiles,
    box(0, 240, WIDTH, 12, tones.main, { opacity: 0.7 }),
    box(0, FLOOR - 18, WIDTH, 18, '#fff'),
    ...drawWindowWithView(seeded, property, light, { x: 170, y: 60, width: 220, height: 250 }),
    // Basin and round mirror.
    disc(900, 220, 128, tones.wood),
    disc(900, 220, 116, '#d9e6ea'),
    curve('M812 262 L936 114 q24 8 44 26 L838 316 Z', '#fff', { opacity: 0.4 }),
    box(750, 440, 300, 26, tones.wood, { radius: 6 }),
    curve('M800 396 h200 q-6 46 -52 46 h-96 q-46 0 -52 -46 Z', '#ffffff'),
    stroke('M900 396 v-30 q0 -14 22 -14', '#b08d4f', 9),
    box(770, 466, 14, 124, tones.wood),
    box(1016, 466, 14, 124, tones.wood),
    box(800, 540, 200, 46, tones.linen, { radius: 12 }),
    box(814, 506, 172, 40, tones.accent, { radius: 12, opacity: 0.8 }),
    // Bath on feet.
    oval(380, 726, 330, 26, '#000', { opacity: 0.12 }),
    curve('M70 512 h620 q-4 178 -110 190 h-400 q-106 -12 -110 -190 Z', '#ffffff'),
    curve('M70 512 h620 q-2 60 -16 100 h-588 q-14 -40 -16 -100 Z', '#000', { opacity: 0.03 }),
    box(52, 494, 656, 26, '#f6f3ee', { radius: 13 }),
    ...[190, 560].map((x) => curve(`M${x} 700 q-6 30 -24 34 h30 q20 -8 18 -34 Z`, '#b08d4f')),
    stroke('M640 494 v-96 q0 -26 -30 -26', '#b08d4f', 10),
    box(110, 486, 130, 96, tones.accent, { radius: 8, opacity: 0.9 }),
    stroke('M110 566 h130', '#fff', 5, 0.7),
    oval(900, 742, 200, 34, tones.linen),
    ...drawPlant(seeded, 1130, 700, 200),
    box(0, 0, WIDTH, HEIGHT, light.veil, { opacity: light.veilStrength * 0.25 }),
  ];
}
