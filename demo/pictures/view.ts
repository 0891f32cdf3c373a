import type { Property } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import { drawHills, drawSea, drawSkyline } from './horizon.ts';
import { drawSky, inLight, type Light, pickLight } from './light.ts';
import { box, disc, HEIGHT, oval, stroke, WIDTH } from './shapes.ts';

/** The view from the property: sky, hills, the city or the sea, and a railing or a sill in front. */
export function drawView(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} view`);
  const light = pickLight(seeded);
  const { character, seaside } = property.city;
  const onTheSea = seaside && (property.amenities.includes('sea_view') || seeded.chance(0.35));
  const foot = seeded.integer(560, 610);
  return [
    ...drawSky(seeded, light),
    drawHills(seeded, light.far, 520, seeded.integer(60, 190)),
    ...(onTheSea
      ? [...drawSea(seeded, light, 500), ...drawHeadland(seeded.chance(0.5), light)]
      : drawSkyline(seeded, light, character, foot)),
    ...(property.amenities.includes('balcony') || property.amenities.includes('terrace')
      ? drawRailing(light)
      : drawSill(light)),
  ];
}

function drawHeadland(left: boolean, light: Light): string[] {
  const shape = oval(left ? 60 : WIDTH - 60, 530, 330, 74, light.middle);
  const town = [0, 1, 2, 3, 4].map((index) => {
    const x = (left ? 50 : WIDTH - 260) + index * 40;
    return (
      box(x, 448 + (index % 2) * 14, 32, 44, '#f4ead8', { opacity: 0.85 }) +
      box(x - 2, 442 + (index % 2) * 14, 36, 8, '#b8694b', { opacity: 0.85 })
    );
  });
  return [shape, ...inLight(light, town)];
}

function drawRailing(light: Light): string[] {
  const bars = Array.from({ length: 25 }, (_, index) => box(index * 50 - 3, 640, 5, 132, '#232a33'));
  const pots = [90, 1040].map(
    (x) =>
      disc(x + 18, 600, 42, '#4f7a4d') +
      disc(x + 58, 586, 50, '#5f8f58') +
      disc(x + 88, 612, 36, '#3f6b45') +
      disc(x + 40, 574, 9, '#e2607a') +
      disc(x + 74, 596, 9, '#e2607a') +
      box(x, 630, 108, 92, '#b8674a', { radius: 8 }) +
      box(x - 6, 624, 120, 20, '#c97a5b', { radius: 5 }),
  );
  return inLight(light, [
    ...bars,
    box(0, 628, WIDTH, 14, '#2d3540', { radius: 6 }),
    box(0, 764, WIDTH, 40, '#c9beb0'),
    ...pots,
  ]);
}

function drawSill(light: Light): string[] {
  const sill = [
    box(0, 0, 46, HEIGHT, '#f1ece2'),
    box(WIDTH - 46, 0, 46, HEIGHT, '#f1ece2'),
    box(0, 0, WIDTH, 34, '#f1ece2'),
    box(594, 0, 12, 740, '#f7f3ec'),
    box(0, 736, WIDTH, 64, '#faf7f1'),
    box(0, 736, WIDTH, 8, '#ddd4c4'),
    box(46, 34, 6, 702, '#d9d0c0'),
    box(WIDTH - 52, 34, 6, 702, '#d9d0c0'),
    // Curtains.
    stroke(`M70 34 q26 340 -4 700`, '#fffdf8', 54, 0.72),
    stroke(`M${WIDTH - 70} 34 q-26 340 4 700`, '#fffdf8', 54, 0.72),
    // A cup on the sill.
    box(300, 692, 62, 48, '#e9e2d6', { radius: 10 }),
    stroke('M362 704 q24 0 20 18 q-4 12 -22 10', '#e9e2d6', 7),
    oval(331, 694, 31, 7, '#6b4a35'),
  ];
  return inLight(light, sill, 0.6);
}
