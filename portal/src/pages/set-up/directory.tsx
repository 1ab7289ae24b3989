import { useMutation, useQuery } from '@tanstack/react-query';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { anonymous } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { DirectoryGuide } from './directory-guide.tsx';
import { byLink, refreshSetup, type Directory } from './setup-queries.ts';
import { inBackground } from '../../session/in-background.ts';

const DIRECTORY = '/api/v1/iam/setup/directory';

/** Creates the directory of the link, and a token of it, which is shown once. */
export function SetUpDirectory() {
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['set-up', 'directory'],
    queryFn: () => anonymous.get(DIRECTORY, byLink()).then(({ data: found }) => found, nullIfMissing),
  });
  return (
    <section className="sheet section stack" aria-labelledby="directory">
      <h2 id="directory">{text('set-up.directory')}</h2>
      <p className="soft small">{text('set-up.directory.text')}</p>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {isPending && <Skeleton label={text('set-up.directory')} rows={1} />}
      {data === null && <NewDirectory />}
      {data && <Token directory={data} />}
    </section>
  );
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ProblemError && error.status === 404) return null;
  throw error;
}

function NewDirectory() {
  const create = useMutation({
    mutationFn: (name: string) => anonymous.post(DIRECTORY, { body: { name }, ...byLink() }),
    onSuccess: refreshSetup,
  });
  return (
    <Form error={create.error} onSubmit={(values) => create.mutate(String(values.get('name')).trim())}>
      <TextField
        label={text('set-up.directory.name')}
        name="name"
        hint={text('set-up.directory.name.hint')}
        maxLength={100}
        isRequired
      />
      <div>
        <Button type="submit" isPending={create.isPending}>
          {text('set-up.directory.create')}
        </Button>
      </div>
    </Form>
  );
}

function Token({ directory: { name, baseUrl } }: { readonly directory: Directory }) {
  const create = useMutation({
    mutationFn: async () =>
      (await anonymous.post(`${DIRECTORY}/tokens`, { body: { name }, ...byLink() })).data.token,
  });
  return (
    <>
      <DirectoryGuide baseUrl={baseUrl} />
      {create.error && <ErrorNotice error={create.error} onRetry={() => create.mutate()} />}
      {create.data === undefined ? (
        <div>
          <Button isPending={create.isPending} onPress={() => create.mutate()}>
            {text('set-up.directory.token.create')}
          </Button>
        </div>
      ) : (
        <div className="stack" role="status">
          <Notice kind="care">
            <p>{text('set-up.directory.token.once')}</p>
          </Notice>
          <Copyable label={text('set-up.directory.token')} value={create.data} />
        </div>
      )}
    </>
  );
}
