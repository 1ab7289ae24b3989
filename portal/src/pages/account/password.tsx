import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe, useStepUpMethods } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../../ui/new-password-field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { MailboxHint } from '../resend.tsx';
import { OnlyThePerson } from './only-the-person.tsx';
import { inBackground } from '../../session/in-background.ts';

/** Changes the password by the current one; sets the first by mail. Not for acting operators. */
export const Password = () =>
  acting === null ? (
    <OwnPassword />
  ) : (
    <Page title={text('password')}>
      <OnlyThePerson />
    </Page>
  );

function OwnPassword() {
  const me = useMe();
  const methods = useStepUpMethods();
  const error = me.error ?? methods.error;
  if (me.data && methods.data)
    return methods.data.includes('password') ? (
      <ChangePassword email={me.data.email} />
    ) : (
      <SetPassword email={me.data.email} />
    );
  const retry = () => inBackground(Promise.all([me.refetch(), methods.refetch()]));
  return (
    <Page title={text('password')}>
      {error ? <ErrorNotice error={error} onRetry={retry} /> : <Skeleton label={text('password')} rows={1} />}
    </Page>
  );
}

interface Props {
  /** null for an account without a verified address. */
  readonly email: string | null;
}

function SetPassword({ email }: Props) {
  const request = useMutation({
    mutationFn: (to: string) =>
      gatehouse.post('/api/v1/iam/auth/request-password-reset', { body: { email: to } }),
  });
  return (
    <Page title={text('set-password')} lead={text('set-password.lead')}>
      <section className="sheet section" aria-label={text('set-password')}>
        {email === null ? (
          <p>{text('set-password.no-address')}</p>
        ) : (
          <>
            <p>{text('set-password.by-mail', { email })}</p>
            {request.error && <ErrorNotice error={request.error} onRetry={() => request.mutate(email)} />}
            {request.isSuccess && (
              <Notice kind="good" title={text('check-your-mail')}>
                <p>{text('forgot.once')}</p>
                <MailboxHint />
              </Notice>
            )}
            <div>
              <Button
                look={request.isSuccess ? undefined : 'primary'}
                isPending={request.isPending}
                onPress={() => request.mutate(email)}
              >
                {text(request.isSuccess ? 'resend.send' : 'set-password.submit')}
              </Button>
            </div>
          </>
        )}
      </section>
    </Page>
  );
}

function ChangePassword({ email }: Props) {
  const say = useToast();
  const question = useWeakPasswordQuestion();
  const [done, setDone] = useState(0); // a new key resets the form after success
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      gatehouse.put('/api/v1/iam/me/password', { body }),
    onSuccess: () => {
      setDone(done + 1);
      say(text('change-password.done'));
    },
  });
  return (
    <Page title={text('password')} lead={text('change-password.lead')}>
      <section className="sheet section" aria-label={text('change-password.section')}>
        <Form
          key={done}
          error={change.error}
          onSubmit={(values, form) =>
            question.submit(form, 'newPassword', () =>
              change.mutate({
                currentPassword: String(values.get('currentPassword')),
                newPassword: String(values.get('newPassword')),
              }),
            )
          }
        >
          <input
            className="hidden-label"
            type="text"
            name="username"
            autoComplete="username"
            defaultValue={email ?? ''}
            tabIndex={-1}
            aria-hidden="true"
            readOnly
          />
          <PasswordField
            label={text('password.current')}
            name="currentPassword"
            autoComplete="current-password"
          />
          <NewPasswordField name="newPassword" question={question} />
          <Button type="submit" isPending={change.isPending}>
            {text('reset.submit')}
          </Button>
        </Form>
      </section>
      <p className="soft">
        {rich('change-password.none', {
          link: (inside) => <Link href={PAGE_PATHS.forgottenPassword}>{inside}</Link>,
        })}
      </p>
    </Page>
  );
}
