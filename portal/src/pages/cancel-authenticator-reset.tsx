import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { queryClient } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { isSpent } from './verify-email.tsx';

/**
 * Cancels the removal of second factors, by the link in its mail. Requires a button press, because
 * programs that scan mails open links.
 */
export function CancelAuthenticatorReset() {
  const [token] = useState(mailedToken);
  const cancel = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post('/api/v1/iam/auth/cancel-authenticator-reset', { body: { token: mailed } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['authenticators'] }),
  });
  const changePassword = (
    <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
      {text('cancel-reset.password')}
    </Link>
  );
  if (cancel.isSuccess)
    return (
      <SignInFrame>
        <Sheet title={text('cancel-reset.done.title')} lead={text('cancel-reset.done.lead')}>
          {changePassword}
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(cancel.error))
    return (
      <SignInFrame>
        <Sheet title={text('link-expired')} lead={text('cancel-reset.expired.lead')}>
          {changePassword}
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('cancel-reset.title')} lead={text('cancel-reset.lead')}>
        {cancel.error && <ErrorNotice error={cancel.error} />}
        <Button look="primary" isPending={cancel.isPending} onPress={() => cancel.mutate(token)}>
          {text('cancel-reset.submit')}
        </Button>
      </Sheet>
    </SignInFrame>
  );
}
