import { CHROMIUM } from '../support/chromium.js';
import { signInAsOperator } from '../support/portal-operator.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // a sign-in by two factors and several dialogs, on a busy machine

describeWith([CHROMIUM], 'Permissions of other services, at the portal', () => {
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  afterEach(() => app.sql('DELETE FROM permission_modules'));

  const enter = async (role: 'admin' | 'support'): Promise<void> => {
    await visitor.goto('/operator/permissions');
    await signInAsOperator(app, visitor, role);
    await visitor.sees('Permissions of services');
  };
  const registered = () =>
    app.sql<{ module: string; title: string; permissions: unknown }>(
      'SELECT module, title, permissions FROM permission_modules',
    );
  const permission = (number: number) =>
    visitor.page.getByRole('group', { name: `Permission ${number}`, exact: true });
  const save = (name: string) => visitor.page.getByRole('dialog').getByRole('button', { name }).click();

  it('registers, changes and removes the permissions of a module', async () => {
    await enter('admin');
    await visitor.reads('No permissions registered');
    await visitor.press('Register permissions');
    await visitor.fill('Name of the service', 'Freight');
    await visitor.fill('Short name', 'freight');
    await permission(1).getByLabel('Object and action').fill('order:cancel');
    await permission(1).getByText('The scope is freight:order:cancel.').waitFor();
    await permission(1).getByLabel('What it allows').fill('Cancel orders');
    await visitor.press('Add permission');
    await permission(2).getByLabel('Object and action').fill('order:read');
    await permission(2).getByLabel('What it allows').fill('View orders');
    await permission(2)
      .getByRole('button', { name: /^Owners and admins/ })
      .click();
    await visitor.page.getByRole('option', { name: 'All members' }).click();
    await permission(2).getByText('Also in an archived organization').click();
    await save('Register permissions');
    await visitor.reads('Permissions of Freight registered.');
    const cancel = { scope: 'freight:order:cancel', title: 'Cancel orders', description: null };
    const read = { scope: 'freight:order:read', title: 'View orders', description: null };
    expect(await registered()).toEqual([
      {
        module: 'freight',
        title: 'Freight',
        permissions: [
          { ...cancel, roles: ['admin'], allowedWhenArchived: false },
          { ...read, roles: ['admin', 'member'], allowedWhenArchived: true },
        ],
      },
    ]);
    await visitor.choose('Actions for Freight', 'Edit');
    await visitor.press('Remove permission 1');
    await save('Save');
    await visitor.page.getByRole('row', { name: /order:cancel/ }).waitFor({ state: 'detached' });
    await visitor.page.getByRole('row', { name: /order:read .*All members Yes$/ }).waitFor();
    expect((await registered())[0]?.permissions).toEqual([
      { ...read, roles: ['admin', 'member'], allowedWhenArchived: true },
    ]);
    await visitor.choose('Actions for Freight', 'Remove');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await visitor.reads('No permissions registered');
    expect(await registered()).toEqual([]);
  });

  it('says which permission the service refuses', async () => {
    await enter('admin');
    await visitor.press('Register permissions');
    await visitor.fill('Name of the service', 'Freight');
    await visitor.fill('Short name', 'freight');
    await permission(1).getByLabel('Object and action').fill('order:cancel');
    await permission(1).getByLabel('What it allows').fill('Cancel orders');
    await visitor.press('Add permission');
    await permission(2).getByLabel('Object and action').fill('order:cancel');
    await permission(2).getByLabel('What it allows').fill('Cancel them again');
    await save('Register permissions');
    const notice = visitor.page.getByRole('alert');
    await notice.getByText('Permission 2').waitFor();
    await notice.getByText('is in the list already', { exact: false }).waitFor();
    expect(await registered()).toEqual([]);
  });

  it('shows support what is registered, and why it cannot change it', async () => {
    await app.sql(
      `INSERT INTO permission_modules (module, id, title, permissions) VALUES ('freight', '01K3V9D7Q8Z4X5N6M7P8R9S0T1', 'Freight', '[]')`,
    );
    await enter('support');
    await visitor.page.getByText('Freight', { exact: true }).waitFor();
    await visitor.press('Actions for Freight');
    await visitor.page.locator('.menu-item.denied').getByText('Remove', { exact: true }).waitFor();
    await visitor.page.keyboard.press('Escape');
    expect(await visitor.page.getByRole('button', { name: 'Register permissions' }).count()).toBe(0);
  });

  it('has a frame without an organization, with the way back', async () => {
    await enter('admin');
    await visitor.page.getByRole('banner').getByText('Operator console').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Organizations' }).count()).toBe(0);
    await visitor.press('Leave the console');
    await visitor.sees('Organizations');
  });
});
