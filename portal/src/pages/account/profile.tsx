import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

type Me = components['schemas']['ProfileResponse'];

/** Shows and changes the user's profile. */
export function Profile() {
  const me = useMe();
  return (
    <Page title="Profile" lead="What your colleagues see of you, and what we know.">
      {me.error && <ErrorNotice error={me.error} onRetry={() => void me.refetch()} />}
      {me.isPending && <Skeleton label="profile" rows={2} />}
      {me.data && <Details me={me.data} />}
    </Page>
  );
}

function Details({ me }: { readonly me: Me }) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const firstName = textOf(values, 'firstName');
      const body = {
        ...(firstName !== undefined && { firstName }),
        company: textOf(values, 'company') ?? null,
        country: textOf(values, 'country') ?? null,
        marketingOptIn: values.get('marketingOptIn') !== null,
      };
      return (await gatehouse.patch('/api/v1/iam/me', { body })).data;
    },
    onSuccess: (next) => {
      queryClient.setQueryData(['me'], next);
      say('Your profile is saved.');
    },
  });
  return (
    <>
      <dl className="facts">
        <dt>E-mail address</dt>
        <dd>{me.email ?? 'None: you sign in by an external provider.'}</dd>
        <dt>Account since</dt>
        <dd>
          <Time value={me.createdAt} />
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{me.id}</code>
        </dd>
      </dl>
      <section className="sheet section" aria-label="Details">
        <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
          <TextField
            label="First name"
            name="firstName"
            autoComplete="given-name"
            defaultValue={me.firstName ?? ''}
            maxLength={100}
            isRequired
          />
          <TextField
            label="Organization"
            name="company"
            autoComplete="organization"
            defaultValue={me.company ?? ''}
            maxLength={200}
          />
          <TextField
            label="Country"
            name="country"
            autoComplete="country-name"
            defaultValue={me.country ?? ''}
            maxLength={100}
          />
          <Checkbox name="marketingOptIn" value="yes" defaultSelected={me.marketingOptIn}>
            Tell me about news and offers by e-mail
          </Checkbox>
          <Button type="submit" look="primary" isPending={save.isPending}>
            Save
          </Button>
        </Form>
      </section>
    </>
  );
}
