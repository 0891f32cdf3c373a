import type { ImageType } from '../../src/catalogue/catalogue.ts';
import type { Property } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import { drawBathroom } from './bathroom.ts';
import { drawBedroom } from './bedroom.ts';
import { drawExterior } from './exterior.ts';
import { drawKitchen } from './kitchen.ts';
import { drawLivingArea } from './living-area.ts';
import { drawOutdoor } from './outdoor.ts';
import { box, HEIGHT, picture, stroke, WIDTH } from './shapes.ts';
import { drawView } from './view.ts';

const DRAWINGS: Partial<Record<ImageType, (property: Property) => string[]>> = {
  exterior: drawExterior,
  view: drawView,
  living_area: drawLivingArea,
  bedroom: drawBedroom,
  kitchen: drawKitchen,
  bathroom: drawBathroom,
  outdoor: drawOutdoor,
  floor_plan: drawFloorPlan,
};

/** The picture of that type, as SVG; undefined when the property has none. */
export function drawPicture(property: Property, type: string): string | undefined {
  const pictured = property.pictures.find((one) => one === type);
  const paint = pictured && DRAWINGS[pictured];
  return paint && picture(paint(property));
}

/** Rooms in two rows: living above, sleeping below. */
function drawFloorPlan(property: Property): string[] {
  const seeded = seededBy(`${property.brand.source} ${property.reference} floor plan`);
  const sleeping =
    property.bedrooms === 0
      ? ['Bed']
      : Array.from({ length: property.bedrooms }, (_, index) => `Bedroom ${index + 1}`);
  const bathing = Array.from({ length: Math.min(3, Math.floor(property.bathrooms)) }, () => 'Bath');
  const living = [
    'Living',
    ...(property.amenities.includes('kitchen') ? ['Kitchen'] : []),
    ...(property.amenities.includes('terrace') ? ['Terrace'] : []),
  ];
  const middle = seeded.integer(350, 450);
  return [
    box(0, 0, WIDTH, HEIGHT, '#f7f4ee'),
    ...drawRow(seeded.shuffled(living), 90, 80, middle - 80),
    ...drawRow([...sleeping, ...bathing], 90, middle, 720 - middle),
    `<rect x="90" y="80" width="1020" height="640" fill="none" stroke="#3a3f46" stroke-width="14"/>`,
    box(560, 712, 90, 16, '#f7f4ee'),
    stroke('M560 720 a90 90 0 0 1 90 -90', '#3a3f46', 3, 0.6),
    `<text x="1110" y="770" text-anchor="end" font-family="sans-serif" font-size="26" fill="#6b7078">${property.squareMetres} m²</text>`,
  ];
}

function drawRow(rooms: readonly string[], left: number, top: number, height: number): string[] {
  const share = rooms.map((room) => (room === 'Living' ? 2 : room === 'Bath' ? 0.6 : 1));
  const whole = share.reduce((sum, one) => sum + one, 0);
  let x = left;
  return rooms.map((room, index) => {
    const width = (1020 * (share[index] ?? 1)) / whole;
    const fill =
      { Living: '#f1e3cd', Kitchen: '#e7e3d4', Terrace: '#dbe8d4', Bath: '#d8e6ea' }[room] ?? '#f0dcd2';
    const drawn =
      box(x, top, width, height, fill, { stroke: '#3a3f46', line: 6 }) +
      `<text x="${Math.round(x + width / 2)}" y="${Math.round(top + height / 2 + 9)}" text-anchor="middle" font-family="sans-serif" font-size="${width < 150 ? 20 : 27}" fill="#3a3f46">${room}</text>`;
    x += width;
    return drawn;
  });
}
