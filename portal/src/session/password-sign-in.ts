import { gatehouse } from './gatehouse.ts';
import { loadPagesOf } from './loaded-pages.ts';
import { PAGE_PATHS } from './paths.ts';
import { secondFactorOf } from './second-factor.ts';
import { deviceTokens } from './trusted-device.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in by address and password, and by the trust in this browser.
 * @returns whether attackers try this password first, so that the user should change it
 */
export async function signInByPassword({
  email,
  password,
}: Credentials): Promise<{ passwordShouldChange: boolean }> {
  const deviceToken = await deviceTokens.read(email);
  try {
    return await gatehouse.login({ email, password, deviceToken });
  } catch (error) {
    if (secondFactorOf(error)) {
      await deviceTokens.remove(email); // it is no longer trusted
      await loadPagesOf(PAGE_PATHS.signedIn); // with the form of the second factor
    }
    throw error;
  }
}
