import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Brand } from './brand.tsx';
import { InLookOf, type OrganizationLook } from './look.tsx';
import { PageSwitches } from './page-switches.tsx';

interface Props {
  /** Look of the organization that the page is about, if it has one of its own. */
  readonly look?: OrganizationLook | undefined;
  readonly children: ReactNode;
  /** For a page of several sections, in place of one sheet. */
  readonly wide?: boolean;
}

/** Frame of the pages before the sign-in. */
export function SignInFrame({ look, children, wide = false }: Props) {
  return (
    <div className={wide ? 'threshold wide' : 'threshold'}>
      <header>
        <Brand />
      </header>
      <main id="content">{look ? <InLookOf look={look}>{children}</InLookOf> : children}</main>
      <footer className="foot">
        {configuration.mailbox && <Link href={PAGE_PATHS.mailbox}>{text('frame.mailbox')}</Link>}
        <a href="/api/docs">{text('frame.docs')}</a>
        <PageSwitches />
      </footer>
    </div>
  );
}
