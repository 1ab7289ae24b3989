import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { NewPasswordField, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Changes the password, by the current one. */
export function ChangePassword() {
  const { data: me } = useMe();
  const say = useToast();
  const [done, setDone] = useState(0); // a new key resets the form after success
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      gatehouse.put('/api/v1/iam/me/password', { body }),
    onSuccess: () => {
      setDone(done + 1);
      say('Your password is changed. All other devices are signed out.');
    },
  });
  return (
    <Page title="Password" lead="All other devices are signed out when it changes.">
      <section className="sheet section" aria-label="Change the password">
        <Form
          key={done}
          error={change.error}
          onSubmit={(values) =>
            change.mutate({
              currentPassword: String(values.get('currentPassword')),
              newPassword: String(values.get('newPassword')),
            })
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
          <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" />
          <NewPasswordField name="newPassword" />
          <Button type="submit" look="primary" isPending={change.isPending}>
            Change the password
          </Button>
        </Form>
      </section>
      <p className="soft">
        You do not know it, or have always signed in by an external provider?{' '}
        <Link href={PAGE_PATHS.forgottenPassword}>Choose one by mail</Link>
      </p>
    </Page>
  );
}
