import type { ConsoleDeps } from './console-deps.ts';
import type { ConsoleRoute, Pages } from './console-routes.ts';
import { createTrials } from './trial.ts';
import { tryPage } from './try-page.ts';

/** The guided search of the owner, which is kept in the session until another is begun. */
export function tryRoutes(
  deps: Pick<ConsoleDeps, 'brands' | 'placeName' | 'serveOperation' | 'random'>,
  { show }: Pick<Pages, 'show'>,
): readonly ConsoleRoute[] {
  const { brands, placeName } = deps;
  const trials = createTrials(deps);
  return [
    {
      method: 'GET',
      path: '/try',
      serve(request) {
        const { trial, formToken } = request.session;
        return show(tryPage(trial, { brands, placeName, formToken }), request);
      },
    },
    {
      method: 'POST',
      path: '/try',
      async serve({ form, session }) {
        const { trial } = session;
        const action = form.get('action');
        const source = form.get('source') ?? '';
        if (action === 'reset') session.trial = null;
        else if (action === 'open') session.trial = await trials.open(source === '' ? null : source);
        else if (trial)
          session.trial = await trials.supply(trial, form.get('field') ?? '', form.get('value') ?? '');
        return { kind: 'see', location: '/try' };
      },
    },
  ];
}
