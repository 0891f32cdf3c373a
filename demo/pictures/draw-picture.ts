import type { ImageType } from '../../src/catalogue/catalogue.ts';
import type { Property } from '../properties.ts';
import { drawBathroom } from './bathroom.ts';
import { drawBedroom } from './bedroom.ts';
import { drawExterior } from './exterior.ts';
import { drawFloorPlan } from './floor-plan.ts';
import { drawKitchen } from './kitchen.ts';
import { drawLivingArea } from './living-area.ts';
import { drawOutdoor } from './outdoor.ts';
import { picture } from './shapes.ts';
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
