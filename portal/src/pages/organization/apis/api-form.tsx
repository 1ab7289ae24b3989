import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { type OrganizationApi, refreshApis } from './api-queries.ts';

type Scope = OrganizationApi['scopes'][number];

interface Props {
  readonly tenantId: string;
  /** The API to change; a new one without it. */
  readonly api?: OrganizationApi;
  readonly onClose: () => void;
}

/** Registers an API, or changes its name and scopes. */
export function ApiForm({ tenantId, api, onClose }: Props) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const name = String(values.get('name')).trim();
      const scopes = readScopes(String(values.get('scopes')), api?.scopes ?? []);
      if (api) {
        const params = { path: { id: tenantId, apiId: api.id } };
        await gatehouse.patch('/api/v1/iam/tenants/{id}/apis/{apiId}', { params, body: { name, scopes } });
      } else {
        const identifier = String(values.get('identifier')).trim();
        const params = { path: { id: tenantId } };
        await gatehouse.post('/api/v1/iam/tenants/{id}/apis', { params, body: { identifier, name, scopes } });
      }
      return name;
    },
    onSuccess: async (name) => {
      await refreshApis(tenantId);
      onClose();
      say(text(api ? 'apis.changed' : 'apis.created', { name }));
    },
  });
  return (
    <Dialog title={text(api ? 'apis.change' : 'apis.new')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        {!api && (
          <TextField
            label={text('apis.identifier')}
            hint={text('apis.identifier.hint')}
            name="identifier"
            type="url"
            maxLength={500}
            isRequired
            autoFocus
            verbatim
          />
        )}
        <TextField
          label={text('name')}
          hint={text('apis.name.hint')}
          name="name"
          maxLength={100}
          defaultValue={api?.name ?? ''}
          isRequired
        />
        <TextArea
          label={text('apis.scopes')}
          hint={text('apis.scopes.hint')}
          name="scopes"
          defaultValue={api?.scopes.map(({ name, title }) => `${name} ${title}`).join('\n') ?? ''}
        />
        <FormButtons
          submit={text(api ? 'save' : 'apis.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Reads a scope from each line, its name before its title; what else it asks for stays. */
function readScopes(lines: string, current: readonly Scope[]): Scope[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...words] = line.split(/\s+/);
      const title = words.join(' ') || name;
      return { ...current.find((scope) => scope.name === name), name, title };
    });
}
