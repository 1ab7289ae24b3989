import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Threshold } from '../ui/frames.tsx';
import { Trouble } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint } from './resend.tsx';

/** A press of a button, as programs that look through mails open links, too. */
export function VerifyEmail() {
  const [token] = useState(mailedToken);
  const verify = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post('/api/v1/iam/auth/verify-email', { body: { token: mailed } }),
  });
  if (verify.isSuccess)
    return (
      <Threshold>
        <Sheet
          title="Your address is verified"
          lead="Your account is ready. Sign in with the password that you chose."
        >
          <Link href={PAGE_PATHS.signIn} className="button primary">
            Sign in
          </Link>
        </Sheet>
      </Threshold>
    );
  if (token === null || isSpent(verify.error)) return <AskAgain />;
  return (
    <Threshold>
      <Sheet title="Verify your address" lead="One press, and the account is yours.">
        {verify.error && <Trouble error={verify.error} />}
        <Button look="primary" isPending={verify.isPending} onPress={() => verify.mutate(token)}>
          Verify my address
        </Button>
      </Sheet>
    </Threshold>
  );
}

/** Whether the link is too old, used or cut short: then another attempt will not help. */
export const isSpent = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'token');

function AskAgain() {
  const resend = useMutation({
    mutationFn: (email: string) =>
      gatehouse.post('/api/v1/iam/auth/resend-verification', { body: { email } }),
  });
  if (resend.isSuccess)
    return (
      <Threshold>
        <Sheet
          title="Check your mail"
          lead={<>If an account waits for {resend.variables}, a new link is on its way there.</>}
        >
          <MailboxHint />
        </Sheet>
      </Threshold>
    );
  return (
    <Threshold>
      <Sheet
        title="This link is not valid any more"
        lead="It has been used, or is older than a day. If you have verified your address already, sign in."
        focusTitle={false}
      >
        <Form error={resend.error} onSubmit={(values) => resend.mutate(String(values.get('email')))}>
          <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
          <Button type="submit" look="primary" isPending={resend.isPending}>
            Send a new link
          </Button>
        </Form>
        <p>
          <Link href={PAGE_PATHS.signIn}>Sign in</Link>
        </p>
      </Sheet>
    </Threshold>
  );
}
