import { text } from '../../../messages/index.ts';
import { TypeFolds } from './type-folds.tsx';
import type { EventType } from './webhook-queries.ts';

/** Lists the types of events by group, each with an example of its body. */
export function Catalogue({ types }: { readonly types: readonly EventType[] }) {
  return (
    <section className="stack" aria-labelledby="event-types">
      <h2 id="event-types">{text('webhooks.types')}</h2>
      {types.length === 0 ? (
        <p className="soft">{text('webhooks.types.none')}</p>
      ) : (
        <TypeFolds items={types}>
          {({ type, description, example }) => (
            <details className="disclosure">
              <summary>
                <span className="what">
                  <code>{type}</code>
                  <span className="soft small">{description}</span>
                </span>
              </summary>
              <pre className="code small">{JSON.stringify(example, null, 2)}</pre>
            </details>
          )}
        </TypeFolds>
      )}
    </section>
  );
}
