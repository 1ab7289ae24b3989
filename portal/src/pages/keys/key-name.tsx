import type { ReactNode } from 'react';

interface Props {
  readonly item: { readonly name: string; readonly hint: string };
  /** Badges that follow. */
  readonly children?: ReactNode;
}

/** Name of a key and its public part, in a row. */
export function KeyName({ item: { name, hint }, children }: Props) {
  return (
    <div className="row">
      <strong>{name}</strong>
      <code className="soft small">{hint}…</code>
      {children}
    </div>
  );
}
