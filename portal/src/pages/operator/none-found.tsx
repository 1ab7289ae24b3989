import { ProblemError } from '@gatehouse/client';
import { Link } from 'wouter';
import { Page } from '../../ui/page.tsx';

/** Tells whether the person or organization of a page does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'not-found';

interface Props {
  readonly title: string;
  readonly lead: string;
  /** Text and path of the link to the search. */
  readonly search: string;
  readonly path: string;
}

/** Page of a person or organization that does not exist, with a link to the search. */
export const NoneFound = ({ title, lead, search, path }: Props) => (
  <Page title={title} lead={lead}>
    <p>
      <Link href={path} className="button primary">
        {search}
      </Link>
    </p>
  </Page>
);
