import type { ReactNode } from 'react';

/** A short label. */
export function Badge({
  kind = '',
  children,
}: {
  readonly kind?: '' | 'good' | 'care' | 'bad';
  readonly children: ReactNode;
}) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

/** The first letter of a name, hidden from screen readers. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {([...name.trim()][0] ?? '?').toUpperCase()}
    </span>
  );
}
