import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation } from '../session/mailed-token.ts';
import { ownRegistration } from '../session/own-registration.ts';
import { usePageQuery } from '../session/page-query.ts';
import { appRequest, PAGE_PATHS, signInTo } from '../session/paths.ts';
import { useInvitation } from '../session/queries.ts';
import { typedEmail } from '../session/typed-email.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkboxes.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../ui/new-password-field.tsx';
import { Sheet } from '../ui/page.tsx';
import { Spent, Waiting } from './accept-invitation.tsx';
import { MailboxHint, Resend } from './resend.tsx';
import { isSpent } from './verify-email.tsx';
import { inBackground } from '../session/in-background.ts';

type Registration = components['schemas']['RegisterDto'];

/** The invitation by which a person registers. */
interface Invited {
  readonly token: string;
  readonly email: string;
  readonly organization: string;
}

/** Registers an account, in two steps: this form, and the link in the mail. */
export function Register() {
  const query = usePageQuery();
  const token = query.has('invited') ? invitation.kept() : null;
  const shown = useInvitation(token);
  if (token === null) return <Registering invited={null} next={appRequest(query.get('next'))} />;
  if (isSpent(shown.error)) return <Spent />;
  if (!shown.data) return <Waiting error={shown.error} retry={() => inBackground(shown.refetch())} />;
  const { email, organization } = shown.data;
  return <Registering invited={{ token, email, organization: organization.name }} next={null} />;
}

interface Props {
  readonly invited: Invited | null;
  /** Request of an app to continue with. */
  readonly next: string | null;
}

function Registering({ invited, next }: Props) {
  const question = useWeakPasswordQuestion();
  const signIn = invited ? signInTo(PAGE_PATHS.acceptInvitation) : (next ?? PAGE_PATHS.signIn);
  const register = useMutation({
    mutationFn: async (body: Registration) => {
      await gatehouse.post('/api/v1/iam/auth/register', { body });
      await ownRegistration.note(body.email, next);
    },
  });
  if (register.isSuccess)
    return (
      <CheckYourMail
        email={register.variables.email}
        invitationToken={invited?.token}
        startAgain={() => register.reset()}
      />
    );
  return (
    <SignInFrame>
      <Sheet
        title={text('register.title')}
        lead={invited ? text('register.to-join', { organization: invited.organization }) : undefined}
        focusTitle={false}
      >
        <Form
          error={register.error}
          onSubmit={(values, form) =>
            question.submit(form, 'password', () => register.mutate(registrationOf(values, invited?.token)))
          }
        >
          <TextField
            label={text('first-name')}
            name="firstName"
            autoComplete="given-name"
            maxLength={100}
            isRequired
            autoFocus
          />
          <TextField label={text('last-name')} name="lastName" autoComplete="family-name" maxLength={100} />
          <TextField
            label={text('email')}
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            defaultValue={typedEmail.read()}
            {...(invited && {
              defaultValue: invited.email,
              isReadOnly: true,
              hint: text('register.invited-address'),
            })}
          />
          <NewPasswordField label={text('password')} name="password" question={question} />
          {!invited && (
            <TextField
              label={text('company')}
              name="company"
              autoComplete="organization"
              maxLength={200}
              hint={text('register.company-hint')}
            />
          )}
          <Checkbox name="marketingOptIn" value="yes">
            {text('marketing')}
          </Checkbox>
          <Button type="submit" look="primary" isPending={register.isPending}>
            {text('register.submit')}
          </Button>
        </Form>
        <p className="soft">
          {rich('register.have-one', {
            link: (inside) => <Link href={signIn}>{inside}</Link>,
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

function registrationOf(values: FormData, invitationToken: string | undefined): Registration {
  const company = textOf(values, 'company');
  const lastName = textOf(values, 'lastName');
  return {
    firstName: String(values.get('firstName')),
    email: String(values.get('email')),
    password: String(values.get('password')),
    marketingOptIn: values.get('marketingOptIn') !== null,
    ...(lastName !== undefined && { lastName }),
    ...(company !== undefined && { company }),
    ...(invitationToken !== undefined && { invitation: invitationToken }),
  };
}

interface CheckProps {
  readonly email: string;
  readonly invitationToken: string | undefined;
  readonly startAgain: () => void;
}

function CheckYourMail({ email, invitationToken, startAgain }: CheckProps) {
  return (
    <SignInFrame>
      <Sheet title={text('check-your-mail')} lead={text('register.sent', { email })}>
        <p>{text('register.next')}</p>
        <div className="stack tight">
          <Resend email={email} invitationToken={invitationToken} />
          <MailboxHint />
        </div>
        <p className="soft">
          {invitationToken === undefined
            ? rich('register.nothing', {
                again: (inside) => (
                  <Button look="link" onPress={startAgain}>
                    {inside}
                  </Button>
                ),
              })
            : text('register.check-spam')}
        </p>
      </Sheet>
    </SignInFrame>
  );
}
