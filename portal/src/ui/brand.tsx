import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Mark } from './icons.tsx';

/** Logo and name of the service, which lead to its first page. */
export const Brand = () => (
  <Link href={PAGE_PATHS.home} className="brand" aria-label={text('frame.home')}>
    <Mark />
    <span>Gatehouse</span>
  </Link>
);
