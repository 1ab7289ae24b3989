import { useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { Chevron } from './icons.tsx';

type PageLink = readonly [path: string, label: string];

/** Pages that belong together. */
export interface PageGroup {
  /** Heading above the links; null shows none. */
  readonly label: string | null;
  readonly pages: readonly PageLink[];
}

export interface PageNavProps {
  /** Name of the navigation for screen readers. */
  readonly label: string;
  readonly groups: readonly PageGroup[];
}

/** Links to the pages next to this one; on a phone, behind a button that names this page. */
export function PageNav({ label, groups }: PageNavProps) {
  const [location] = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const id = useId();
  const pages = groups.flatMap((group) => group.pages);
  const current = pageOf(location, pages);
  // Another page closes it.
  const isOpen = openAt === location;
  return (
    <nav className="nav" aria-label={label}>
      <Button
        className="control select nav-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onPress={() => setOpenAt(isOpen ? null : location)}
      >
        <span>{pages.find(([path]) => path === current)?.[1] ?? label}</span>
        <Chevron />
      </Button>
      <div id={id} className={isOpen ? 'open' : undefined}>
        {groups
          .filter((group) => group.pages.length > 0)
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
