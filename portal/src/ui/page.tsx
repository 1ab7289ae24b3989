import { useEffect, useRef, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  /** What can be done on the whole page. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** False where the page has a field that takes the focus. */
  readonly focusTitle?: boolean;
}

/** Whether this is the page that the browser itself has loaded: then the focus is where the browser has put it. */
let first = true;

/** What every page does: it has a title, in the tab as well, and whoever listens hears of it when it opens. */
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

/** A page of somebody who is signed in. */
export function Page({ title, lead, action, children, focusTitle = true }: Props) {
  const heading = useTitle(title, focusTitle);
  return (
    <div className="page">
      <div className="page-head">
        <div className="lead">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}

/** A page on the way in: one sheet with one thing to do. */
export function Sheet({ title, lead, children, focusTitle = true }: Omit<Props, 'action'>) {
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
