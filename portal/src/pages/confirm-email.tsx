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
 * Confirms a new address by the link mailed to it. Requires a button press, because programs that
 * scan mails open links.
 */
export function ConfirmEmail() {
  const [token] = useState(mailedToken);
  const confirm = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post('/api/v1/iam/auth/confirm-email', { body: { token: mailed } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['me'] }),
  });
  if (confirm.isSuccess)
    return (
      <SignInFrame>
        <Sheet title={text('confirm-email.done.title')} lead={text('confirm-email.done.lead')}>
          <Link href={PAGE_PATHS.home} className="button primary">
            {text('go-home')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(confirm.error))
    return (
      <SignInFrame>
        <Sheet title={text('link-expired')} lead={text('confirm-email.expired.lead')}>
          <Link href={PAGE_PATHS.profile} className="button primary">
            {text('nav.profile')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('confirm-email.title')} lead={text('confirm-email.lead')}>
        {confirm.error && <ErrorNotice error={confirm.error} />}
        <Button look="primary" isPending={confirm.isPending} onPress={() => confirm.mutate(token)}>
          {text('confirm-email.submit')}
        </Button>
        <p className="soft">{text('confirm-email.not-me')}</p>
      </Sheet>
    </SignInFrame>
  );
}
