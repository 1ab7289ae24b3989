import { useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';

type PageLink = readonly [path: string, label: string];

/** Pages that belong together. */
export interface PageGroup {
  /** Heading above the links on a wide screen; null shows none. */
  readonly label: string | null;
  readonly pages: readonly PageLink[];
}

export interface PageNavProps {
  /** Name of the navigation for screen readers. */
  readonly label: string;
  readonly groups: readonly PageGroup[];
}

/** Links to the pages next to this one; the link of this page is in view where they scroll. */
export function PageNav({ label, groups }: PageNavProps) {
  const [location] = useLocation();
  const current = pageOf(
    location,
    groups.flatMap(({ pages }) => pages),
  );
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const link = row.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    const shown = row.current?.getBoundingClientRect();
    if (link && shown)
      row.current?.scrollBy({ left: link.left + link.width / 2 - (shown.left + shown.width / 2) });
  }, [current]);
  return (
    <nav className="nav" aria-label={label}>
      <div ref={row}>
        {groups
          .filter(({ pages }) => pages.length > 0)
          .map((group) => (
            <Group key={group.pages[0]?.[0]} {...group} location={location} current={current} />
          ))}
      </div>
    </nav>
  );
}

interface GroupProps extends PageGroup {
  readonly location: string;
  readonly current: string | undefined;
}

function Group({ label, pages, location, current }: GroupProps) {
  const id = useId();
  return (
    <div className="nav-group">
      {label !== null && <p id={id}>{label}</p>}
      <ul aria-labelledby={label === null ? undefined : id}>
        {pages.map(([path, name]) => (
          <li key={path}>
            <Link
              href={path}
              aria-current={path === location ? 'page' : path === current ? 'true' : undefined}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the page of the menu that is shown, or to which the shown page belongs. */
const pageOf = (location: string, pages: readonly PageLink[]): string | undefined =>
  pages
    .map(([path]) => path)
    .filter((path) => `${location}/`.startsWith(`${path}/`))
    .toSorted((a, b) => b.length - a.length)[0];
