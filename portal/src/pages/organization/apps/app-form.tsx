import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { type OrganizationApp, refreshApps } from './app-queries.ts';

const TYPES = ['confidential', 'public'] as const satisfies readonly OrganizationApp['type'][];

interface Props {
  readonly tenantId: string;
  /** The app to change; a new one without it. */
  readonly app?: OrganizationApp;
  readonly onClose: () => void;
}

/** Creates an app, and shows what to enter in it, or changes one. */
export function AppForm({ tenantId, app, onClose }: Props) {
  const [type, setType] = useState(app?.type ?? 'confidential');
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        name: String(values.get('name')),
        redirectUris: linesOf(values, 'redirectUris'),
        postLogoutRedirectUris: linesOf(values, 'postLogoutRedirectUris'),
      };
      const backchannelLogoutUri = textOf(values, 'backchannelLogoutUri') ?? null;
      if (app) {
        const params = { path: { id: tenantId, clientId: app.clientId } };
        const path = '/api/v1/iam/tenants/{id}/clients/{clientId}';
        await gatehouse.patch(path, { params, body: { ...body, backchannelLogoutUri } });
        return null;
      }
      const params = { path: { id: tenantId } };
      return (
        await gatehouse.post('/api/v1/iam/tenants/{id}/clients', {
          params,
          body: { ...body, type, ...(backchannelLogoutUri !== null && { backchannelLogoutUri }) },
        })
      ).data;
    },
    onSuccess: async (created, values) => {
      await refreshApps(tenantId);
      if (created) return;
      onClose();
      say(text('apps.changed', { name: String(values.get('name')) }));
    },
  });
  if (save.data)
    return (
      <ShownOnce
        title={text('apps.created')}
        lead={text(save.data.clientSecret === undefined ? 'apps.created.public' : 'apps.created.text')}
        onClose={onClose}
      >
        <Copyable label={text('connections.issuer')} value={location.origin} />
        <Copyable label={text('apps.client-id')} value={save.data.clientId} />
        {save.data.clientSecret !== undefined && (
          <Copyable label={text('apps.client-secret')} value={save.data.clientSecret} />
        )}
      </ShownOnce>
    );
  return (
    <Dialog title={text(app ? 'apps.change' : 'apps.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField
          label={text('name')}
          name="name"
          hint={text('apps.name.hint')}
          maxLength={100}
          defaultValue={app?.name ?? ''}
          isRequired
          autoFocus
        />
        <TextArea
          label={text('apps.redirect-uris')}
          name="redirectUris"
          hint={text('apps.redirect-uris.hint')}
          defaultValue={app?.redirectUris.join('\n') ?? ''}
          isRequired
        />
        {!app && (
          <SelectField
            label={text('apps.type')}
            hint={text(`apps.type.${type}.hint`)}
            name="type"
            options={TYPES.map((one) => [one, text(`apps.type.${one}`)])}
            value={type}
            onChange={(one) => setType(one as OrganizationApp['type'])}
          />
        )}
        <TextField
          label={text('apps.backchannel-logout-uri')}
          name="backchannelLogoutUri"
          hint={text('apps.backchannel-logout-uri.hint')}
          maxLength={500}
          defaultValue={app?.backchannelLogoutUri ?? ''}
          verbatim
        />
        <TextArea
          label={text('apps.post-logout-redirect-uris')}
          name="postLogoutRedirectUris"
          hint={text('apps.redirect-uris.hint')}
          defaultValue={app?.postLogoutRedirectUris.join('\n') ?? ''}
        />
        <div className="buttons">
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {text(app ? 'save' : 'apps.create')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Returns the lines of a field that are not blank. */
const linesOf = (values: FormData, name: string): string[] =>
  String(values.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
