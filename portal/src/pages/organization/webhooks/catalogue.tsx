import { text } from '../../../messages/index.ts';
import type { EventType } from './webhook-queries.ts';

/** Lists the types of events, each with an example of its body. */
export function Catalogue({ types }: { readonly types: readonly EventType[] }) {
  return (
    <section className="stack" aria-labelledby="event-types">
      <h2 id="event-types">{text('webhooks.types')}</h2>
      {types.length === 0 ? (
        <p className="soft">{text('webhooks.types.none')}</p>
      ) : (
        <ul className="list" aria-label={text('webhooks.types')}>
          {types.map(({ type, description, example }) => (
            <li key={type}>
              <details className="disclosure">
                <summary>
                  <span className="what">
                    <code>{type}</code>
                    <span className="soft small">{description}</span>
                  </span>
                </summary>
                <pre className="code small">{JSON.stringify(example, null, 2)}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
