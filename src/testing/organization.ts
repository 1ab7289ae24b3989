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
    return Person.signIn(service, await service.register(email));
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
    const { body } = await service.get(`${IAM}/me`, accessToken);
    return new Person(
      service,
      String(body['id']),
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
    const { length: mailed } = await this.service.mails(person.email);
    const invited = await this.call('POST', '/invitations', { email: person.email, roles });
    if (invited.status !== 201) throw new Error(`Inviting answered ${invited.status}.`);
    const token = await this.service.mailedToken(person.email, mailed + 1);
    const accepted = await this.service.post('accept-invitation', { token }, { token: person.token });
    if (accepted.status !== 200) throw new Error(`Accepting answered ${accepted.status}.`);
    return person.select(this.id);
  }
}
