import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { LOCALES, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkboxes.tsx';
import { CountryField } from '../../ui/country-field.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ChangeAddress } from './change-address.tsx';
import { OnlyThePersonChanges } from './only-the-person.tsx';
import { inBackground } from '../../session/in-background.ts';

/** Stands for no language in the profile. */
const BROWSERS = 'browser';

type Me = components['schemas']['ProfileResponse'];

/** Shows and changes the user's profile. An operator who acts as the person only reads it. */
export function Profile() {
  const me = useMe();
  return (
    <Page title={text('nav.profile')} lead={text('profile.lead')}>
      {me.error && <ErrorNotice error={me.error} onRetry={() => inBackground(me.refetch())} />}
      {me.isPending && <Skeleton label={text('profile.loading')} rows={2} />}
      {me.data && <Facts me={me.data} />}
      {acting !== null && <OnlyThePersonChanges />}
      {me.data && acting === null && (
        <>
          <Details me={me.data} />
          <ChangeAddress />
        </>
      )}
    </Page>
  );
}

function Facts({ me }: { readonly me: Me }) {
  return (
    <dl className="facts">
      <dt>{text('email')}</dt>
      <dd>{me.email === null ? text('profile.no-email') : <Address value={me.email} />}</dd>
      <dt>{text('profile.since')}</dt>
      <dd>
        <Time value={me.createdAt} />
      </dd>
      <dt>{text('profile.id')}</dt>
      <dd>
        <code>{me.id}</code>
      </dd>
    </dl>
  );
}

function Details({ me }: { readonly me: Me }) {
  const say = useToast();
  const [locale, setLocale] = useState<string>(me.locale ?? BROWSERS);
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const firstName = textOf(values, 'firstName');
      const body = {
        ...(firstName !== undefined && { firstName }),
        lastName: textOf(values, 'lastName') ?? null,
        displayName: textOf(values, 'displayName') ?? null,
        company: textOf(values, 'company') ?? null,
        country: textOf(values, 'country') ?? null,
        locale: locale === BROWSERS ? null : locale,
        marketingOptIn: values.get('marketingOptIn') !== null,
      };
      return (await gatehouse.patch('/api/v1/iam/me', { body })).data;
    },
    onSuccess: (next) => {
      queryClient.setQueryData(['me'], next);
      say(text('profile.saved'));
    },
  });
  return (
    <section className="sheet section" aria-label={text('profile.details')}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <div className="columns">
          <TextField
            label={text('first-name')}
            name="firstName"
            autoComplete="given-name"
            defaultValue={me.firstName ?? ''}
            maxLength={100}
            isRequired
          />
          <TextField
            label={text('last-name')}
            name="lastName"
            autoComplete="family-name"
            defaultValue={me.lastName ?? ''}
            maxLength={100}
          />
        </div>
        <TextField
          label={text('profile.display-name')}
          name="displayName"
          autoComplete="off"
          hint={text('profile.display-name.hint')}
          defaultValue={me.displayName ?? ''}
          maxLength={100}
        />
        <TextField
          label={text('company')}
          name="company"
          autoComplete="organization"
          defaultValue={me.company ?? ''}
          maxLength={200}
        />
        <CountryField label={text('profile.country')} name="country" value={me.country} />
        <SelectField
          label={text('profile.language')}
          hint={text('profile.language.hint')}
          options={[[BROWSERS, text('profile.language.browser')], ...Object.entries(LOCALES)]}
          value={locale}
          onChange={setLocale}
        />
        <Checkbox name="marketingOptIn" value="yes" defaultSelected={me.marketingOptIn}>
          {text('marketing')}
        </Checkbox>
        <Button type="submit" isPending={save.isPending}>
          {text('save')}
        </Button>
      </Form>
    </section>
  );
}
