import { useMutation, useQuery } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkboxes.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { inBackground } from '../../../session/in-background.ts';

const PATH = '/api/v1/iam/tenants/{id}/key-policy';

interface Props {
  readonly tenantId: string;
  readonly mayChange: boolean;
}

/** Shows and sets what the organization asks of all keys. */
export function KeyPolicy({ tenantId, mayChange }: Props) {
  const params = { path: { id: tenantId } };
  const queryKey = ['organization', tenantId, 'key-policy'];
  const policy = useQuery({
    queryKey,
    queryFn: async () => (await gatehouse.get(PATH, { params })).data,
  });
  const say = useToast();
  const save = useMutation({
    mutationFn: (body: { personalKeys: boolean; maxLifetimeDays: number | null }) =>
      gatehouse.put(PATH, { params, body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey });
      say(text('key-policy.saved'));
    },
  });
  const submit = (values: FormData) => {
    const days = String(values.get('maxLifetimeDays'));
    save.mutate({
      personalKeys: values.has('personalKeys'),
      maxLifetimeDays: days === '' ? null : Number(days),
    });
  };
  return (
    <Section title={text('key-policy.title')} lead={text('key-policy.text')}>
      {policy.error && <ErrorNotice error={policy.error} onRetry={() => inBackground(policy.refetch())} />}
      {policy.isPending && <Skeleton label={text('key-policy.title')} rows={1} />}
      {policy.data && (
        <Form error={save.error} onSubmit={submit}>
          <Checkbox
            name="personalKeys"
            value="on"
            defaultSelected={policy.data.personalKeys}
            isDisabled={!mayChange}
          >
            {text('key-policy.personal')}
            <span className="small soft line">{text('key-policy.personal.hint')}</span>
          </Checkbox>
          <TextField
            label={text('key-policy.lifetime')}
            name="maxLifetimeDays"
            type="number"
            inputMode="numeric"
            hint={text('key-policy.lifetime.hint')}
            defaultValue={policy.data.maxLifetimeDays?.toString() ?? ''}
            isDisabled={!mayChange}
          />
          {mayChange && (
            <div className="buttons">
              <Button type="submit" isPending={save.isPending}>
                {text('key-policy.save')}
              </Button>
            </div>
          )}
        </Form>
      )}
    </Section>
  );
}
