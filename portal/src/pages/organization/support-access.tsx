import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { keys, subjectOf } from './organization-queries.ts';
import { inBackground } from '../../session/in-background.ts';

const GRANT = 'iam:support-access:grant';
const HOURS = [1, 4, 24, 72];
const PATH = '/api/v1/iam/tenants/{id}/support-access';

interface Props {
  readonly tenantId: string;
}

/** Lets support in for some hours, and ends the access. For a policy that says `on_request`. */
export function SupportAccess({ tenantId }: Props) {
  const queryKey = [...keys.tenant(tenantId), 'support-access'];
  const params = { path: { id: tenantId } };
  const [hours, setHours] = useState(String(HOURS[1]));
  const say = useToast();
  const access = useQuery({
    queryKey,
    queryFn: async () => {
      const { until } = (await gatehouse.get(PATH, { params })).data;
      const verdict = (await gatehouse.can(subjectOf('support-access', tenantId), [GRANT]))[GRANT];
      // A sign-in that is too old is no obstacle: the command asks to confirm it.
      const mayGrant = verdict.allowed || verdict.code === 'authentication_insufficient';
      return { until, denial: mayGrant ? null : (verdict.reason ?? null) };
    },
  });
  const done = async (said: string) => {
    await queryClient.invalidateQueries({ queryKey });
    say(said);
  };
  const grant = useMutation({
    mutationFn: () => gatehouse.post(PATH, { params, body: { hours: Number(hours) } }),
    onSuccess: () => done(text('support-access.granted')),
  });
  const end = useMutation({
    mutationFn: () => gatehouse.delete(PATH, { params }),
    onSuccess: () => done(text('support-access.ended')),
  });
  const { data } = access;
  return (
    <section className="sheet section" aria-label={text('support-access')}>
      <h2>{text('support-access')}</h2>
      {access.error && <ErrorNotice error={access.error} onRetry={() => inBackground(access.refetch())} />}
      {access.isPending && <Skeleton label={text('support-access')} rows={1} />}
      {data && (
        <>
          <p>
            {data.until === null
              ? text('support-access.none')
              : rich('support-access.until', { time: () => <Time value={data.until ?? ''} exact /> })}
          </p>
          {data.until !== null && (
            <>
              {end.error && <ErrorNotice error={end.error} onRetry={() => end.mutate()} />}
              <div>
                <Button isPending={end.isPending} onPress={() => end.mutate()}>
                  {text('support-access.end')}
                </Button>
              </div>
            </>
          )}
          {data.denial === null ? (
            <Form error={grant.error} onSubmit={() => grant.mutate()}>
              <SelectField
                label={text('support-access.hours')}
                options={HOURS.map((each) => [String(each), text('sign-in-policy.hours', { hours: each })])}
                value={hours}
                onChange={setHours}
              />
              <div>
                <Button type="submit" isPending={grant.isPending}>
                  {text('support-access.grant')}
                </Button>
              </div>
            </Form>
          ) : (
            <p className="hint">{data.denial}</p>
          )}
        </>
      )}
    </section>
  );
}
