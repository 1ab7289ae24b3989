import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { linesOf } from '../../../ui/lines-of.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { type OrganizationApp, refreshApps } from './app-queries.ts';
import { addressOf, RECIPES } from './recipes.ts';

/** Value of the choice for an app without a recipe. */
const OTHER = 'other';

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
  const [product, setProduct] = useState(OTHER);
  const [site, setSite] = useState('');
  const recipe = RECIPES.find(({ id }) => id === product);
  const linesOfPaths = (paths: readonly string[] = []) =>
    paths.map((path) => addressOf(site, path)).join('\n');
  // Other values fill the fields in again.
  const filled = `${product} ${site}`;
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        name: String(values.get('name')),
        redirectUris: linesOf(values, 'redirectUris'),
        postLogoutRedirectUris: linesOf(values, 'postLogoutRedirectUris'),
      };
      const backchannelLogoutUri = textOf(values, 'backchannelLogoutUri') ?? null;
      const logoUri = textOf(values, 'logoUri') ?? null;
      if (app) {
        const params = { path: { id: tenantId, clientId: app.clientId } };
        const path = '/api/v1/iam/tenants/{id}/clients/{clientId}';
        await gatehouse.patch(path, {
          params,
          body: {
            ...body,
            backchannelLogoutUri,
            // Named again, it would be fetched again.
            ...(logoUri !== app.logoUri && { logoUri }),
          },
        });
        return null;
      }
      const params = { path: { id: tenantId } };
      return (
        await gatehouse.post('/api/v1/iam/tenants/{id}/clients', {
          params,
          body: {
            ...body,
            type: recipe ? 'confidential' : type,
            ...(backchannelLogoutUri !== null && { backchannelLogoutUri }),
            ...(logoUri !== null && { logoUri }),
            ...(recipe && { tokenEndpointAuthMethod: recipe.tokenEndpointAuthMethod }),
          },
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
        {!app && (
          <SelectField
            label={text('apps.product')}
            {...(recipe && { hint: text('apps.product.hint', { guide: `docs/apps/${recipe.id}.md` }) })}
            options={[
              [OTHER, text('apps.product.other')],
              ...RECIPES.map(({ id, name }) => [id, name] as const),
            ]}
            value={product}
            onChange={setProduct}
          />
        )}
        {recipe && (
          <TextField
            label={text('apps.site')}
            hint={text('apps.site.hint')}
            type="url"
            maxLength={400}
            value={site}
            onChange={setSite}
            isRequired
            verbatim
          />
        )}
        <TextField
          key={product}
          label={text('name')}
          name="name"
          hint={text('apps.name.hint')}
          maxLength={100}
          defaultValue={app?.name ?? recipe?.name ?? ''}
          isRequired
          {...(!recipe && { autoFocus: true })}
        />
        <TextArea
          key={`redirect ${filled}`}
          label={text('apps.redirect-uris')}
          name="redirectUris"
          hint={text('apps.redirect-uris.hint')}
          defaultValue={app?.redirectUris.join('\n') ?? linesOfPaths(recipe?.redirectPaths)}
          isRequired
        />
        {!app && !recipe && (
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
          key={`logout ${filled}`}
          label={text('apps.backchannel-logout-uri')}
          name="backchannelLogoutUri"
          hint={text('apps.backchannel-logout-uri.hint')}
          maxLength={500}
          defaultValue={
            app?.backchannelLogoutUri ??
            (recipe?.backchannelPath ? addressOf(site, recipe.backchannelPath) : '')
          }
          verbatim
        />
        <TextArea
          key={`return ${filled}`}
          label={text('apps.post-logout-redirect-uris')}
          name="postLogoutRedirectUris"
          hint={text('apps.redirect-uris.hint')}
          defaultValue={app?.postLogoutRedirectUris.join('\n') ?? linesOfPaths(recipe?.postLogoutPaths)}
        />
        <TextField
          label={text('apps.logo-uri')}
          name="logoUri"
          hint={text('apps.logo-uri.hint')}
          maxLength={500}
          defaultValue={app?.logoUri ?? ''}
          verbatim
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
