import type { ReactNode } from 'react';
import { text } from '../../messages/index.ts';
import { type Column, TableOf } from '../../ui/table.tsx';

interface PartProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly columns: readonly Column<T>[];
  readonly foot?: ReactNode;
}

/** A table on the page; says so if there is nothing in it. */
export const Part = <T,>({ title, items, keyOf, columns, foot }: PartProps<T>) => (
  <section className="stack" aria-label={title}>
    <h2>{title}</h2>
    {items.length === 0 ? (
      <p className="soft">{text('operator.nothing')}</p>
    ) : (
      <TableOf label={title} items={items} keyOf={keyOf} columns={columns} />
    )}
    {foot !== undefined && <p>{foot}</p>}
  </section>
);
