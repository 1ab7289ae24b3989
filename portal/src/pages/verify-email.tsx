import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ProblemError, type components } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation, mailedFingerprint, mailedInvitation, mailedToken } from '../session/mailed-token.ts';
import { ownRegistration } from '../session/own-registration.ts';
import { appRequest, PAGE_PATHS, signInTo } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint, requestVerification } from './resend.tsx';

type Verification = components['schemas']['VerifyEmailDto'];

/**
 * Requires a button press, because programs that scan mails open links. Asks for the password if
 * this browser has not registered the address: the link may belong to another person's
 * registration. A person who was invited comes back to the invitation.
 */
export function VerifyEmail() {
  const [token] = useState(mailedToken);
  const [fingerprint] = useState(mailedFingerprint);
  const [invited] = useState(mailedInvitation);
  const own = useQuery({
    queryKey: ['own-registration', token],
    queryFn: () => ownRegistration.isOf(token ?? '', fingerprint),
    staleTime: Infinity,
  });
  const verify = useMutation({
    mutationFn: async (body: Verification) => {
      await gatehouse.post('/api/v1/iam/auth/verify-email', { body });
      const next = own.data === true ? appRequest(ownRegistration.next()) : null;
      ownRegistration.drop();
      if (invited === null) return next ?? PAGE_PATHS.signIn;
      invitation.keep(invited);
      return signInTo(PAGE_PATHS.acceptInvitation);
    },
  });
  if (verify.isSuccess)
    return (
      <Verified
        byPassword={verify.variables.password !== undefined}
        isInvited={invited !== null}
        next={verify.data}
      />
    );
  if (token === null || isSpent(verify.error)) return <AskAgain invited={invited} />;
  if (own.data === undefined) return <SignInFrame>{null}</SignInFrame>;
  return (
    <SignInFrame>
      <Sheet title={text('verify.title')} lead={text('verify.lead')} focusTitle={own.data}>
        <Form error={verify.error} onSubmit={(values) => verify.mutate({ token, ...passwordIn(values) })}>
          {!own.data && (
            <PasswordField
              label={text('password')}
              name="password"
              autoComplete="current-password"
              hint={text('verify.password-hint')}
              autoFocus
            />
          )}
          <Button type="submit" isPending={verify.isPending}>
            {text('verify.submit')}
          </Button>
        </Form>
        <p className="soft">
          {rich('verify.forgot', {
            link: (inside) =>
              invited === null ? (
                <Link href={PAGE_PATHS.register}>{inside}</Link>
              ) : (
                <Link href={PAGE_PATHS.acceptInvitation} onClick={() => invitation.keep(invited)}>
                  {inside}
                </Link>
              ),
          })}
        </p>
        <p className="soft">
          {rich('verify.not-me', {
            link: (inside) => (
              <Link href={PAGE_PATHS.refuseRegistration} state={{ token }}>
                {inside}
              </Link>
            ),
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

function passwordIn(values: FormData): Pick<Verification, 'password'> {
  const password = values.get('password');
  return password === null ? {} : { password: String(password) };
}

interface VerifiedProps {
  readonly byPassword: boolean;
  readonly isInvited: boolean;
  /** Page that continues, by way of the sign-in. */
  readonly next: string;
}

function Verified({ byPassword, isInvited, next }: VerifiedProps) {
  return (
    <SignInFrame>
      <Sheet
        title={text('verify.done.title')}
        lead={text(isInvited ? 'verify.done.invited' : 'verify.done.lead')}
      >
        <Link href={next} className="button primary">
          {text('sign-in')}
        </Link>
        {!byPassword && <p className="soft">{text('verify.done.other')}</p>}
      </Sheet>
    </SignInFrame>
  );
}

/**
 * Returns whether the link has expired, is used or incomplete, so that another attempt cannot
 * succeed.
 */
export const isSpent = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'token');

function AskAgain({ invited }: { readonly invited: string | null }) {
  const resend = useMutation({
    mutationFn: (email: string) => requestVerification({ email, invitationToken: invited }),
  });
  if (resend.isSuccess)
    return (
      <SignInFrame>
        <Sheet
          title={text('check-your-mail')}
          lead={text('verify.expired.sent', { email: resend.variables })}
        >
          <MailboxHint />
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('link-expired')} lead={text('verify.expired.lead')} focusTitle={false}>
        <Form error={resend.error} onSubmit={(values) => resend.mutate(String(values.get('email')))}>
          <TextField label={text('email')} name="email" type="email" autoComplete="username" isRequired />
          <Button type="submit" isPending={resend.isPending}>
            {text('verify.expired.send')}
          </Button>
        </Form>
        <p>
          <Link href={PAGE_PATHS.signIn}>{text('sign-in')}</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}
