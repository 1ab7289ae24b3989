import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/frames.tsx';
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
        <Sheet
          title="The registration is refused"
          lead="It was removed, and no account is created from it. You do not need to do anything else."
        >
          <Link href={PAGE_PATHS.home}>Go to the start page</Link>
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(refuse.error))
    return (
      <SignInFrame>
        <Sheet
          title="This link is not valid any more"
          lead="The registration was refused or verified already, or it is older than a day."
        >
          <p>If an account has your address and is not yours, choose a new password for it.</p>
          <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
            Choose a new password
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet
        title="Refuse this registration"
        lead="An account was registered with your e-mail address. If it was not you, refuse the registration. No account is created then."
      >
        {refuse.error && <ErrorNotice error={refuse.error} />}
        <Button look="danger" isPending={refuse.isPending} onPress={() => refuse.mutate(token)}>
          This was not me
        </Button>
      </Sheet>
    </SignInFrame>
  );
}
