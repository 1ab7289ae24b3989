import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Brand } from './brand.tsx';
import { PageSwitches } from './page-switches.tsx';

/** Frame of the pages before the sign-in. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="threshold">
      <header>
        <Brand />
      </header>
      <main id="content">{children}</main>
      <footer className="foot">
        {configuration.mailbox && <Link href={PAGE_PATHS.mailbox}>{text('frame.mailbox')}</Link>}
        <a href="/api/docs">{text('frame.docs')}</a>
        <PageSwitches />
      </footer>
    </div>
  );
}
