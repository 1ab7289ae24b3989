import { Link } from 'wouter';
import { PAGE_PATHS } from '../session/paths.ts';
import { SignInFrame } from '../ui/frames.tsx';
import { Page, Sheet } from '../ui/page.tsx';

const WORDS = {
  title: 'Page not found',
  lead: 'The address may be mistyped, or the page has moved.',
};

const ToTheStart = () => (
  <Link href={PAGE_PATHS.home} className="button primary">
    Go to the start
  </Link>
);

/** Page for an unknown address. */
export const NotHere = () => (
  <SignInFrame>
    <Sheet {...WORDS}>
      <ToTheStart />
    </Sheet>
  </SignInFrame>
);

/** Page for an unknown address, inside the frame of signed-in users. */
export const NoSuchPage = () => (
  <Page {...WORDS}>
    <p>
      <ToTheStart />
    </p>
  </Page>
);
