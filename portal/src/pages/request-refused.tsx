import { ProblemError } from '@gatehouse/client';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';

interface Props {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/**
 * Explains why the request of an app cannot be answered. Never leads to the address in the request,
 * because the service has not confirmed it.
 */
export function RequestRefused({ error, onRetry }: Props) {
  if (!(error instanceof ProblemError) || error.code !== 'validation-error')
    return (
      <SignInFrame>
        <Sheet title={text('sign-in')}>
          <ErrorNotice error={error} onRetry={onRetry} />
        </Sheet>
      </SignInFrame>
    );
  const unknown = error.violations.some(({ propertyPath }) => /^re(?:turnTo|directUri)$/.test(propertyPath));
  return <BadRequestOfApp unknown={unknown} />;
}

/** @param unknown true if app or address is not registered, and false if the link is damaged */
export const BadRequestOfApp = ({ unknown }: { readonly unknown: boolean }) => (
  <SignInFrame>
    <Sheet
      title={text('request.refused.title')}
      lead={text(unknown ? 'request.refused.unknown' : 'request.refused.damaged')}
    >
      <p className="soft">{text('request.refused.next')}</p>
      <Link href={PAGE_PATHS.home} className="button">
        {text('go-home')}
      </Link>
    </Sheet>
  </SignInFrame>
);
