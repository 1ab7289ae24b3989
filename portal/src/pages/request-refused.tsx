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
  return <BadRequestOfApp reason={unknown ? 'unknown' : 'damaged'} />;
}

interface BadRequestProps {
  /** App or address is not registered; the link is damaged; the request waits no longer. */
  readonly reason: 'unknown' | 'damaged' | 'expired';
}

export const BadRequestOfApp = ({ reason }: BadRequestProps) => (
  <SignInFrame>
    <Sheet title={text('request.refused.title')} lead={text(`request.refused.${reason}`)}>
      <p className="soft">{text('request.refused.next')}</p>
      <Link href={PAGE_PATHS.home} className="button primary">
        {text('go-home')}
      </Link>
    </Sheet>
  </SignInFrame>
);
