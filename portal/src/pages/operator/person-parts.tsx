import type { ReactNode } from 'react';
import { text } from '../../messages/index.ts';

interface PartProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly foot?: ReactNode;
  readonly children: (item: T) => ReactNode;
}

/** A list on the page; says so if there is nothing in it. */
export function Part<T>({ title, items, foot, children }: PartProps<T>) {
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      {items.length === 0 ? (
        <p className="soft">{text('operator.nothing')}</p>
      ) : (
        <ul className="list" aria-label={title}>
          {items.map(children)}
        </ul>
      )}
      {foot !== undefined && <p>{foot}</p>}
    </section>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  /** Next to the text. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A row of such a list. */
export const Row = ({ title, badge, end, children }: RowProps) => (
  <li>
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{title}</strong>
          {badge}
        </div>
        <span className="soft small">{children}</span>
      </div>
      {end !== undefined && end !== false && <div className="end wraps">{end}</div>}
    </div>
  </li>
);
