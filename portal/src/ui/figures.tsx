import type { ReactNode } from 'react';
import { Link } from 'wouter';
import '../styles/charts.css';

export interface Figure {
  readonly label: string;
  readonly value: string;
  /** What makes up the value. */
  readonly hint?: string;
  readonly isBad?: boolean;
  /** Page on which there is more. */
  readonly href?: string | null;
}

/** Figures of the present in one row. */
export function Figures({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) {
  return (
    <ul className="figures" aria-label={label}>
      {figures.map((figure) => (
        <li key={figure.label}>
          <FigureItem {...figure} />
        </li>
      ))}
    </ul>
  );
}

function FigureItem({ label, value, hint, isBad = false, href = null }: Figure) {
  const content: ReactNode = (
    <>
      <span className="soft small">{label}</span>
      <span className={isBad ? 'value bad' : 'value'}>{value}</span>
      {hint !== undefined && <span className="soft small">{hint}</span>}
    </>
  );
  return href === null ? (
    <div className="figure">{content}</div>
  ) : (
    <Link href={href} className="figure">
      {content}
    </Link>
  );
}
