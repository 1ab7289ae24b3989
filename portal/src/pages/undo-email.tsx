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
import { MailboxHint } from './resend.tsx';
import { isSpent } from './verify-email.tsx';

/**
 * Restores a former address by the link mailed to it. Requires a button press, because programs
 * that scan mails open links.
 */
export function UndoEmail() {
  const [token] = useState(mailedToken);
  const undo = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post('/api/v1/iam/auth/undo-email', { body: { token: mailed } }),
  });
  if (undo.isSuccess)
    return (
      <SignInFrame>
        <Sheet title={text('undo-email.done.title')} lead={text('undo-email.done.lead')}>
          <p>{text('forgot.once')}</p>
          <MailboxHint />
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(undo.error))
    return (
      <SignInFrame>
        <Sheet title={text('link-expired')} lead={text('undo-email.expired.lead')}>
          <Link href={PAGE_PATHS.signIn} className="button primary">
            {text('sign-in')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('undo-email.title')} lead={text('undo-email.lead')}>
        {undo.error && <ErrorNotice error={undo.error} />}
        <Button look="danger" isPending={undo.isPending} onPress={() => undo.mutate(token)}>
          {text('undo-email.submit')}
        </Button>
      </Sheet>
    </SignInFrame>
  );
}
