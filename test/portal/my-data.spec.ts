import { readFile } from 'node:fs/promises';
import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // a sign-in and several pages, on a busy machine

describeWith([CHROMIUM], 'What is kept about a person, at the portal', () => {
  const { app, portal } = withPortal();

  it('is saved as a page to read, on which the values are text', async () => {
    const person = await Person.signUp(app);
    const firstName = '<script>document.title="run"</script>';
    await app.call('PATCH', '/api/v1/iam/me', { firstName }, { token: person.token });
    const visitor = await portal.visitor();
    await visitor.goto('/account/data');
    await visitor.signIn(person);
    await visitor.press('Request my data');
    await visitor.reads('Ready');
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Download as a page');
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d{2}-\d{2}\.html$/);
    const page = await readFile(await file.path(), 'utf8');
    const reader = await visitor.page.context().newPage();
    await reader.setContent(page);
    await reader.getByRole('heading', { level: 1, name: 'What is kept about you' }).waitFor();
    for (const value of [firstName, person.email]) await reader.getByText(value).first().waitFor();
    expect(await reader.title()).toBe('What is kept about you');
    expect(await reader.locator('script').count()).toBe(0);
  });
});
