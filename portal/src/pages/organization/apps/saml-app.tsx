import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { inBackground } from '../../../session/in-background.ts';
import { appKeyOf, type OrganizationApp, refreshApps } from './app-queries.ts';

type SamlApp = components['schemas']['SamlClientResponse'];

interface Props {
  readonly tenantId: string;
  /** The app whose metadata is new; a new app without it. */
  readonly app?: OrganizationApp;
  readonly onClose: () => void;
}

/** Registers an app by its metadata, or replaces what an app's metadata said. */
export function SamlAppForm({ tenantId, app, onClose }: Props) {
  const [metadata, setMetadata] = useState('');
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData): Promise<SamlApp | null> => {
      if (app) {
        const params = { path: { id: tenantId, clientId: app.clientId } };
        const path = '/api/v1/iam/tenants/{id}/saml-clients/{clientId}';
        await gatehouse.patch(path, { params, body: { metadata } });
        return null;
      }
      const params = { path: { id: tenantId } };
      const body = { name: String(values.get('name')), metadata };
      return (await gatehouse.post('/api/v1/iam/tenants/{id}/saml-clients', { params, body })).data;
    },
    onSuccess: async (created) => {
      await refreshApps(tenantId);
      if (created || !app) return;
      onClose();
      say(text('apps.changed', { name: app.name }));
    },
  });
  const read = useMutation({
    mutationFn: async (file: File | undefined) => (await file?.text()) ?? '',
    onSuccess: (content) => {
      setMetadata(content);
      save.reset(); // what was wrong with the text before
    },
  });
  if (save.data)
    return (
      <ShownOnce title={text('apps.created')} lead={text('apps.saml.created')} onClose={onClose}>
        <ProviderOf app={save.data} />
      </ShownOnce>
    );
  return (
    <Dialog title={text(app ? 'apps.saml.change' : 'apps.saml.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        {!app && (
          <TextField
            label={text('name')}
            name="name"
            hint={text('apps.name.hint')}
            maxLength={100}
            isRequired
            autoFocus
          />
        )}
        <FileField
          label={text('apps.saml.file')}
          hint={text('apps.saml.file.hint')}
          name="file"
          accept=".xml,application/xml,text/xml"
          isDisabled={save.isPending}
          onChange={(file) => read.mutate(file)}
        />
        <TextArea
          label={text('apps.saml.metadata')}
          name="metadata"
          hint={text('apps.saml.metadata.hint')}
          value={metadata}
          onChange={setMetadata}
          isRequired
        />
        <FormButtons
          submit={text(app ? 'save' : 'apps.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** How an app by SAML is set up, and what is registered for it. */
export function SamlSetUp({ tenantId, clientId }: { readonly tenantId: string; readonly clientId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...appKeyOf(tenantId, clientId), 'saml'],
    queryFn: async () => {
      const params = { path: { id: tenantId, clientId } };
      return (await gatehouse.get('/api/v1/iam/tenants/{id}/saml-clients/{clientId}', { params })).data;
    },
  });
  if (error) return <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />;
  if (!data) return <Skeleton label={text('nav.apps')} />;
  return (
    <>
      <Section title={text('apps.set-up')} lead={text('apps.saml.created')}>
        <ProviderOf app={data} />
      </Section>
      <Section title={text('apps.saml.registered')} lead={text('apps.saml.registered.text')}>
        <Copyable label={text('apps.saml.entity-id')} value={data.entityId} />
        {data.consumers.map(({ url }) => (
          <Copyable key={url} label={text('apps.saml.consumers')} value={url} />
        ))}
      </Section>
    </>
  );
}

/** What to enter in an app: this service, as it is to know it. */
function ProviderOf({ app: { provider } }: { readonly app: SamlApp }) {
  return (
    <>
      <Copyable label={text('apps.saml.metadata-url')} value={provider.entityId} />
      <Copyable label={text('apps.saml.sign-in-url')} value={provider.signInUrl} />
      <Copyable label={text('apps.saml.logout-url')} value={provider.logoutUrl} />
      <Copyable
        label={text('apps.saml.certificate')}
        value={provider.certificates.map(({ certificate }) => certificate).join('\n')}
        isCode
      />
    </>
  );
}
