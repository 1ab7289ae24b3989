import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { ownRegistration } from '../session/own-registration.ts';
import { usePageQuery } from '../session/page-query.ts';
import { appRequest, PAGE_PATHS } from '../session/paths.ts';
import { typedEmail } from '../session/typed-email.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkboxes.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../ui/new-password-field.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint, Resend } from './resend.tsx';

type Registration = components['schemas']['RegisterDto'];

/** Registers an account, in two steps: this form, and the link in the mail. */
export function Register() {
  const next = appRequest(usePageQuery().get('next'));
  const question = useWeakPasswordQuestion();
  const register = useMutation({
    mutationFn: async (body: Registration) => {
      await gatehouse.post('/api/v1/iam/auth/register', { body });
      await ownRegistration.note(body.email, next);
    },
  });
  if (register.isSuccess)
    return <CheckYourMail email={register.variables.email} startAgain={() => register.reset()} />;
  return (
    <SignInFrame>
      <Sheet title={text('register.title')} focusTitle={false}>
        <Form
          error={register.error}
          onSubmit={(values, form) =>
            question.submit(form, 'password', () => register.mutate(registrationOf(values)))
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
          />
          <NewPasswordField label={text('password')} name="password" question={question} />
          <TextField
            label={text('company')}
            name="company"
            autoComplete="organization"
            maxLength={200}
            hint={text('register.company-hint')}
          />
          <Checkbox name="marketingOptIn" value="yes">
            {text('marketing')}
          </Checkbox>
          <Button type="submit" isPending={register.isPending}>
            {text('register.submit')}
          </Button>
        </Form>
        <p className="soft">
          {rich('register.have-one', {
            link: (inside) => <Link href={next ?? PAGE_PATHS.signIn}>{inside}</Link>,
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

function registrationOf(values: FormData): Registration {
  const company = textOf(values, 'company');
  const lastName = textOf(values, 'lastName');
  return {
    firstName: String(values.get('firstName')),
    email: String(values.get('email')),
    password: String(values.get('password')),
    marketingOptIn: values.get('marketingOptIn') !== null,
    ...(lastName !== undefined && { lastName }),
    ...(company !== undefined && { company }),
  };
}

interface CheckProps {
  readonly email: string;
  readonly startAgain: () => void;
}

function CheckYourMail({ email, startAgain }: CheckProps) {
  return (
    <SignInFrame>
      <Sheet title={text('check-your-mail')} lead={text('register.sent', { email })}>
        <p>{text('register.next')}</p>
        <div className="stack tight">
          <Resend email={email} />
          <MailboxHint />
        </div>
        <p className="soft">
          {rich('register.nothing', {
            again: (inside) => (
              <Button look="link" onPress={startAgain}>
                {inside}
              </Button>
            ),
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}
