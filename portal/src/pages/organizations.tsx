import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { queryClient, useMe, useMyTenants } from '../session/queries.ts';
import { Avatar, Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { AppFrame } from '../ui/frames.tsx';
import { Empty, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';

/** Lists the user's organizations. */
export function Organizations() {
  const tenants = useMyTenants();
  return (
    <AppFrame>
      <Page
        title="Organizations"
        lead="Choose where you want to work. Each browser tab can be in another one."
        action={
          <Link href={PAGE_PATHS.newOrganization} className="button primary">
            New organization
          </Link>
        }
      >
        <List
          query={tenants}
          label="My organizations"
          keyOf={({ id }) => id}
          empty={
            <Empty title="You are in no organization yet">
              <p>
                Create one and invite your colleagues, or open the link of an invitation that you were sent.
              </p>
              <Link href={PAGE_PATHS.newOrganization} className="button">
                Create an organization
              </Link>
            </Empty>
          }
        >
          {({ id, name, status, roles }) => (
            <Link href={pathIn(PAGE_PATHS.members, id)} className="item item-link">
              <Avatar name={name} />
              <span className="what">
                <strong>{name}</strong>
                <span className="soft small">
                  {roles.length === 1 ? 'Your role' : 'Your roles'}: {roles.join(', ')}
                </span>
              </span>
              <span className="end">{status === 'archived' && <Badge kind="care">Archived</Badge>}</span>
            </Link>
          )}
        </List>
      </Page>
    </AppFrame>
  );
}

/** Creates an organization, whose owner is the user. */
export function NewOrganization() {
  const [, navigate] = useLocation();
  const say = useToast();
  const { data: me, isPending } = useMe();
  const create = useMutation({
    mutationFn: async (name: string) =>
      (await gatehouse.post('/api/v1/iam/tenants', { body: { name } })).data,
    onSuccess: async ({ id, name }) => {
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      say(`${name} is ready. Invite your colleagues.`);
      navigate(pathIn(PAGE_PATHS.members, id));
    },
  });
  return (
    <AppFrame>
      <Page title="New organization" lead="You become its owner, and can rename it later." focusTitle={false}>
        {!isPending && (
          <Form error={create.error} onSubmit={(values) => create.mutate(String(values.get('name')))}>
            <TextField
              label="Name"
              name="name"
              autoComplete="organization"
              defaultValue={me?.company ?? ''}
              maxLength={200}
              isRequired
              autoFocus
            />
            <Button type="submit" look="primary" isPending={create.isPending}>
              Create the organization
            </Button>
          </Form>
        )}
      </Page>
    </AppFrame>
  );
}
