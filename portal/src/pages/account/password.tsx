import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../../ui/new-password-field.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Changes the password, by the current one. */
export function ChangePassword() {
  const { data: me } = useMe();
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
            defaultValue={me?.email ?? ''}
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
          <Button type="submit" look="primary" isPending={change.isPending}>
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
