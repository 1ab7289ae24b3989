import { useId, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Part of a page, with its heading and a button next to it. */
export function Section({ title, lead, action, children }: Props) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="row">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      <p className="soft small">{lead}</p>
      {children}
    </section>
  );
}
