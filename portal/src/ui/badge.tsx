import type { ReactNode } from 'react';

/** A word about a thing. */
export function Badge({
  kind = '',
  children,
}: {
  readonly kind?: '' | 'good' | 'care' | 'bad';
  readonly children: ReactNode;
}) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

/** The first letter of a name, for the eye alone. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {([...name.trim()][0] ?? '?').toUpperCase()}
    </span>
  );
}
