import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useApps } from '../apps/app-queries.ts';
import { type OrganizationApi, refreshReach, useReach } from './api-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly api: OrganizationApi;
  readonly onClose: () => void;
}

/** Sets the scopes of an API that an app of the organization can have. */
export function ApiClients({ tenantId, api, onClose }: Props) {
  const apps = useApps(tenantId).data ?? [];
  const [chosen, setChosen] = useState<string>();
  const clientId = chosen ?? apps[0]?.clientId;
  const reach = useReach(tenantId, clientId);
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const params = { path: { id: tenantId, clientId: clientId ?? '', apiId: api.id } };
      const scopes = values.getAll('scopes').map(String);
      await gatehouse.put('/api/v1/iam/tenants/{id}/clients/{clientId}/apis/{apiId}', {
        params,
        body: { scopes },
      });
    },
    onSuccess: async () => {
      await refreshReach(tenantId, clientId ?? '');
      onClose();
      say(text('apis.reach.changed', { name: api.name }));
    },
  });
  const reached = reach.data?.find(({ apiId }) => apiId === api.id)?.scopes ?? [];
  return (
    <Dialog title={text('apis.reach.title', { name: api.name })} isOpen onClose={onClose}>
      {clientId === undefined ? (
        <p>{text('apis.reach.none')}</p>
      ) : (
        <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
          <SelectField
            label={text('apis.reach.app')}
            options={apps.map(({ clientId: id, name }) => [id, name] as const)}
            value={clientId}
            onChange={setChosen}
          />
          {reach.error && <ErrorNotice error={reach.error} />}
          {reach.isPending && <Skeleton label={text('apis.scopes')} />}
          {reach.data && (
            <CheckboxGroup
              key={clientId}
              label={text('apis.scopes')}
              hint={text('apis.reach.hint')}
              name="scopes"
              defaultValue={[...reached]}
            >
              {api.scopes.map(({ name, title }) => (
                <Checkbox key={name} value={name}>
                  {title}
                  <span className="small soft line">{name}</span>
                </Checkbox>
              ))}
            </CheckboxGroup>
          )}
          <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}
