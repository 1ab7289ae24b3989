import { OperatorService } from '../../src/iam/index.js';
import type { OperatorRole } from '../../src/kernel/index.js';
import { TestTotp } from './factors.js';
import { Person } from './organization.js';
import type { Visitor } from './portal.js';
import type { TestApp } from './test-app.js';

/** Makes a new person an operator, who signs in by two factors on the page that is shown. */
export async function signInAsOperator(
  app: TestApp,
  visitor: Visitor,
  role: OperatorRole = 'admin',
): Promise<Person> {
  const person = await Person.signUp(app);
  await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
  const totp = await TestTotp.enrol(app, person.token);
  await visitor.signIn(person);
  await visitor.fill('Code', totp.next());
  await visitor.press('Confirm');
  return person;
}

/** Starts to act as the person whose page is open, and waits for the first page that they see. */
export async function actAs(visitor: Visitor, fields: Record<string, string>): Promise<void> {
  await visitor.choose('Actions for this person', 'Act as this person');
  for (const [label, value] of Object.entries(fields)) await visitor.fill(label, value);
  await confirmActing(visitor);
}

/** Confirms the dialog that asks why. */
export async function confirmActing(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Act as this person' }).click();
  await visitor.sees('Overview');
}
