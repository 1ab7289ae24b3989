import { Link } from 'wouter';
import { PAGE_PATHS } from '../session/paths.ts';
import { Threshold } from '../ui/frames.tsx';
import { Page, Sheet } from '../ui/page.tsx';

const WORDS = {
  title: 'There is no such page',
  lead: 'The address may be mistyped, or the page has moved.',
};

const ToTheStart = () => (
  <Link href={PAGE_PATHS.home} className="button primary">
    Go to the start
  </Link>
);

/** For an address that leads nowhere. */
export const NotHere = () => (
  <Threshold>
    <Sheet {...WORDS}>
      <ToTheStart />
    </Sheet>
  </Threshold>
);

/** For one that leads nowhere among the pages of somebody who is signed in. */
export const NoSuchPage = () => (
  <Page {...WORDS}>
    <p>
      <ToTheStart />
    </p>
  </Page>
);
