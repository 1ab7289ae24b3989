import type { Answer, ServiceClient } from './service-client.js';

const IAM = '/api/v1/iam';

/** A signed-in user. */
export class Person {
  private constructor(
    readonly service: ServiceClient,
    readonly id: string,
    readonly email: string,
    readonly password: string,
    readonly sessionId: string,
    /** Access token without a tenant. */
    readonly token: string,
    readonly refreshToken: string,
  ) {}

  static async signUp(service: ServiceClient, email?: string): Promise<Person> {
    return Person.signIn(service, await service.createAccount(email));
  }

  /** The same user in a separate session. */
  static again({
    service,
    email,
    password,
  }: Pick<Person, 'service' | 'email' | 'password'>): Promise<Person> {
    return Person.signIn(service, { email, password });
  }

  private static async signIn(
    service: ServiceClient,
    account: { email: string; password: string },
  ): Promise<Person> {
    const { accessToken, refreshToken, sessionId } = await service.login(account);
    return new Person(
      service,
      subjectOf(accessToken),
      account.email,
      account.password,
      sessionId,
      accessToken,
      refreshToken,
    );
  }

  /** Returns a token for the tenant in this session. */
  async select(tenantId: string): Promise<string> {
    const { status, body } = await this.service.post('select-tenant', { tenantId }, { token: this.token });
    if (status !== 200) throw new Error(`Selecting the tenant answered ${status}.`);
    return String(body['accessToken']);
  }
}

/** Returns the account of an access token, without a request. */
function subjectOf(token: string): string {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims) as { sub: string }).sub;
}

/** A user within an organization. */
export interface Member {
  readonly person: Person;
  /** Access token for this organization. */
  readonly token: string;
}

/** An organization and its owner, created through the API. */
export class Organization {
  private constructor(
    readonly service: ServiceClient,
    readonly id: string,
    readonly owner: Member,
  ) {}

  static async found(service: ServiceClient, founder?: Person): Promise<Organization> {
    const person = founder ?? (await Person.signUp(service));
    const { status, body } = await service.call(
      'POST',
      `${IAM}/tenants`,
      { name: 'Lovelace Logistics' },
      { token: person.token },
    );
    if (status !== 201) throw new Error(`Making a tenant answered ${status}.`);
    const id = String(body['id']);
    return new Organization(service, id, { person, token: await person.select(id) });
  }

  get path(): string {
    return `${IAM}/tenants/${this.id}`;
  }

  /** Calls a path below this organization, as its owner unless another token is given. */
  call(method: string, below: string, body?: unknown, token: string = this.owner.token): Promise<Answer> {
    return this.service.call(method, `${this.path}${below}`, body, { token });
  }

  /** Invites a new user, who accepts. */
  async join(...roles: string[]): Promise<Member> {
    const person = await Person.signUp(this.service);
    return { person, token: await this.admit(person, ...roles) };
  }

  /** Invites a user, who accepts. @returns the user's token for this organization */
  async admit(person: Person, ...roles: string[]): Promise<string> {
    const token = await this.service.invite(this, person.email, roles);
    const accepted = await this.service.post('accept-invitation', { token }, { token: person.token });
    if (accepted.status !== 200) throw new Error(`Accepting answered ${accepted.status}.`);
    return person.select(this.id);
  }
}
