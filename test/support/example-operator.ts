import { property } from './network.ts';
import { type ScriptedOperator, startScriptedOperator } from './scripted-operator.ts';

/** Three homes in Lisbon, two of them with a pool, and one in Porto. */
export async function startExampleOperator(): Promise<ScriptedOperator> {
  const operator = await startScriptedOperator();
  const cancellation = {
    summary: 'Free of charge until seven days before arrival, after that the first night is kept.',
    free_until: { days_before: 7, time: '18:00' },
  };
  operator.properties = [
    property('miradouro', {
      name: 'Miradouro Terrace',
      summary: 'Two bedrooms and a roof terrace',
      cancellation,
    }),
    property('cisterna', {
      name: 'Casa da Cisterna',
      location: 'Graça, Lisbon',
      summary: 'A courtyard house with a plunge pool',
      amenities: { wifi: 'Wi-Fi', pool: 'Pool' },
      rating: { score: 4.8, scale: 5, review_count: 61 },
      cancellation,
    }),
    property('azulejo', {
      name: 'Azulejo Loft',
      location: 'Príncipe Real, Lisbon',
      summary: 'A tiled loft by the garden',
      amenities: { wifi: 'Wi-Fi', pool: 'Pool', air_conditioning: 'Air conditioning' },
      rating: { score: 4.6, scale: 5, review_count: 148 },
      cancellation: { summary: 'Not refundable.' },
    }),
    property('ribeira', { name: 'Ribeira Steps', place: 'porto-pt', location: 'Ribeira, Porto' }),
  ];
  const totals: Readonly<Record<string, readonly [string, string]>> = {
    miradouro: ['378.00', '45.00'],
    cisterna: ['465.00', '60.00'],
    azulejo: ['402.00', '45.00'],
  };
  operator.quote = (reference, { currency }) => {
    const [rent = '240.00', cleaning = '40.00'] = totals[reference] ?? [];
    return {
      property: reference,
      status: 'quoted',
      currency,
      total: (Number(rent) + Number(cleaning)).toFixed(2),
      lines: [
        { label: 'Three nights', amount: rent },
        { label: 'Cleaning', amount: cleaning },
      ],
    };
  };
  return operator;
}
