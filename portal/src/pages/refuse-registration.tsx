import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { isSpent } from './verify-email.tsx';

/**
 * Refuses a registration, by the link "This was not me" in its mail. Requires a button press,
 * because programs that scan mails open links.
 */
export function RefuseRegistration() {
  const [token] = useState(mailedToken);
  const refuse = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post('/api/v1/iam/auth/refuse-registration', { body: { token: mailed } }),
  });
  if (refuse.isSuccess)
    return (
      <SignInFrame>
        <Sheet title={text('refuse.done.title')} lead={text('refuse.done.lead')}>
          <Link href={PAGE_PATHS.home}>{text('go-home')}</Link>
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(refuse.error))
    return (
      <SignInFrame>
        <Sheet title={text('link-expired')} lead={text('refuse.expired.lead')}>
          <p>{text('refuse.expired.text')}</p>
          <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
            {text('refuse.expired.reset')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('refuse.title')} lead={text('refuse.lead')}>
        {refuse.error && <ErrorNotice error={refuse.error} />}
        <Button look="danger" isPending={refuse.isPending} onPress={() => refuse.mutate(token)}>
          {text('refuse.submit')}
        </Button>
      </Sheet>
    </SignInFrame>
  );
}
