import { useEffect, useRef, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** The title with markup, such as an address that a narrow line breaks after the @. */
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  /** Action of the page. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** False if a field of the page takes the focus. */
  readonly focusTitle?: boolean;
}

/** Whether the browser itself has loaded this page: it has then set the focus. */
let first = true;

/**
 * Sets the title of the page and the tab, and focuses it, so that screen readers announce the page.
 */
function useTitle(title: string, focus = true) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  useEffect(() => {
    if (!first && focus) heading.current?.focus();
    first = false;
  }, [focus]);
  return heading;
}

/** A page after the sign-in. */
export function Page({ title, heading = title, lead, action, children, focusTitle = true }: Props) {
  const head = useTitle(title, focusTitle);
  return (
    <div className="page">
      <div className="page-head">
        <div className="lead">
          <h1 ref={head} tabIndex={-1}>
            {heading}
          </h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}

/** A page before the sign-in: one sheet with one form. */
export function Sheet({ title, lead, children, focusTitle = true }: Omit<Props, 'action' | 'heading'>) {
  const heading = useTitle(title, focusTitle);
  return (
    <div className="sheet">
      <div className="lead">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {children}
    </div>
  );
}
