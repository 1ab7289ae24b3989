import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Page, Sheet } from '../ui/page.tsx';

const words = () => ({ title: text('not-here.title'), lead: text('not-here.lead') });

const ToTheStart = () => (
  <Link href={PAGE_PATHS.home} className="button primary">
    {text('go-home')}
  </Link>
);

/** Page for an unknown address. */
export const NotHere = () => (
  <SignInFrame>
    <Sheet {...words()}>
      <ToTheStart />
    </Sheet>
  </SignInFrame>
);

/** Page for an unknown address, inside the frame of signed-in users. */
export const NoSuchPage = () => (
  <Page {...words()}>
    <p>
      <ToTheStart />
    </p>
  </Page>
);
